import { expect, it } from 'vitest'
import { prizePool } from '../../server/game/prizes.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { Random } from '../support/random.ts'
import { report, SEED, sized } from '../support/size.ts'
import { sharedStage } from '../support/stage.ts'
import { Racer } from './racer.ts'

const RACES = sized(10, 1_000)
const MIN_READS = sized(20, 3_000)
const NODES = 3
const RACERS = 30
const READ_PAUSE_MS = 5
/** Guests leave after so many races: a guest's win moves all the prizes held for that guest. */
const SEASON = 10

const random = new Random(SEED)
const stage = sharedStage(NODES, { PRIZE_HOLD_MINUTES: '600' })

/** One on each node in turn. */
function seat(count: number, open: (url: string, place: number) => Promise<Racer>): Promise<Racer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, place) => open(stage.nodes[place % NODES]?.url ?? '', place)),
  )
}

/** Lets everybody win at the same instant; the TAPS of each prize. */
async function race(racers: readonly Racer[]): Promise<number[]> {
  await Promise.all(racers.map(racer => racer.prepare()))
  for (const racer of racers) racer.release()
  const recorded = await Promise.all(racers.map(racer => racer.finish()))
  return recorded.map(({ attempt }) => attempt.won_taps ?? 0)
}

it('gives each TAPS to one of thirty who win at the same instant', async () => {
  const members = await seat(RACERS / 2, (url, place) => Racer.open(url, random, `Racer ${place}`))
  const losers = await seat(NODES, url => Racer.open(url, random))
  const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
  let guests: Racer[] = []
  let added = 0
  let taps = 0
  for (let round = 0; round < RACES; round += 1) {
    if (round % SEASON === 0) {
      for (const guest of guests) guest.close()
      guests = await seat(RACERS / 2, url => Racer.open(url, random))
    }
    for (const loser of losers.slice(0, random.whole(0, NODES))) await loser.lose()
    const { taps: pool } = await stage.auditor.read(prizePool)
    const claims = random.shuffle(members).slice(0, 2)
    const [prizes] = await Promise.all([
      race([...members, ...guests]),
      ...claims.map(member => member.claim()),
    ])
    const won = prizes.reduce((sum, prize) => sum + prize, 0)
    const left = await stage.auditor.read(prizePool)
    expect({ won, left: left.taps, least: Math.min(...prizes) }).toEqual({
      won: pool + RACERS,
      left: 0,
      least: 1,
    })
    added += pool + RACERS
    taps += won
  }
  await watch.stop()

  expect(await stage.auditor.shared()).toEqual([])
  expect(await stage.auditor.unbalanced()).toBeNull()
  expect(await stage.auditor.miscredited()).toEqual([])
  expect(await stage.auditor.contradictions()).toEqual([])
  expect(watch.differences).toEqual([])
  expect(watch.reads).toBeGreaterThanOrEqual(MIN_READS)
  report('races', {
    races: RACES,
    'winners in each': RACERS,
    nodes: NODES,
    'TAPS won': taps,
    'ledger reads': watch.reads,
    differences: watch.differences.length,
    lost: added - taps,
  })
  for (const racer of [...members, ...losers, ...guests]) racer.close()
})
