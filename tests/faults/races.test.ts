import { expect, it } from 'vitest'
import type { Recorded, Round } from '../../contract/api.ts'
import { WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import type { Database } from '../../server/database/connection.ts'
import { prizePool } from '../../server/play/prizes.ts'
import { Client } from '../support/client.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { Random } from '../support/random.ts'
import { report, SEED, sized } from '../support/size.ts'
import { gameStage } from '../support/stage.ts'
import { Gate } from './gate.ts'

const RACES = sized(4, 1_000)
const NODES = 3
const RACERS = 30
const READ_PAUSE_MS = 5
const PASSWORD = 'a long enough password'
/** The number of races after which new guests replace the old guests, so that holds stay small. */
const RACES_PER_GUEST = 10

const random = new Random(SEED)
const stage = gameStage(NODES, { prizeHoldMinutes: 600 })

interface Racer {
  readonly browser: Client
  round: Round
}

/** Opens racers on the nodes in turn. If `member` is given, racers have accounts with names from `member`. */
function seat(count: number, member?: (place: number) => string): Promise<Racer[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, place) => {
      const browser = new Client(stage.url(place))
      const { round } = await browser.session()
      if (!member) return { browser, round }
      const { status, body } = await browser.createAccount(member(place), PASSWORD)
      expect(status).toBe(201)
      return { browser, round: body.round }
    }),
  )
}

/** Plays a round that ends `differenceMs` after its target; returns the TAPS won. */
async function play(racer: Racer, differenceMs: number): Promise<number> {
  const { browser, round } = racer
  const start = await browser.start(round)
  const actual_time = (Math.round(round.target_time * 1_000) + differenceMs) / 1_000
  const { status, body } = await browser.insist<Recorded>('/api/attempts', {
    start,
    username: 'Racer',
    actual_time,
  })
  // Status 200 means that an earlier try was recorded but answered with 503.
  expect([200, 201], JSON.stringify(body)).toContain(status)
  racer.round = body.round
  return body.attempt.won_taps ?? 0
}

const readPool = (database: Database) => prizePool(database, name => name)

/** Sends wins and claims while the gate is closed, then opens the gate; returns the TAPS of each prize. */
async function race(racers: readonly Racer[], claimers: readonly Racer[]): Promise<number[]> {
  const gate = await Gate.close(stage.connection)
  const wins = racers.map(racer => play(racer, random.whole(-WIN_TOLERANCE_MS, WIN_TOLERANCE_MS)))
  const claims = claimers.map(({ browser }) => browser.insist('/api/claim'))
  await gate.holds('record_attempts', NODES)
  await gate.open()
  for (const { status } of await Promise.all(claims)) expect(status).toBe(200)
  return Promise.all(wins)
}

it('pays each TAPS once when thirty players win simultaneously on three nodes', async () => {
  const members = await seat(RACERS / 2, place => `Racer ${place}`)
  const losers = await seat(NODES)
  const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
  let guests: Racer[] = []
  for (let round = 0; round < RACES; round += 1) {
    if (round % RACES_PER_GUEST === 0) guests = await seat(RACERS / 2)
    for (const loser of losers.slice(0, random.whole(0, NODES)))
      await play(loser, random.whole(WIN_TOLERANCE_MS + 50, 900))
    const { taps: pool } = await stage.auditor.read(readPool)
    const prizes = await race([...members, ...guests], random.shuffle(members).slice(0, 2))
    const won = prizes.reduce((sum, prize) => sum + prize, 0)
    const { taps: left } = await stage.auditor.read(readPool)
    expect({ won, left, least: Math.min(...prizes) }).toEqual({ won: pool + RACERS, left: 0, least: 1 })
  }
  await watch.stop()

  expect(await stage.auditor.shared()).toEqual([])
  expect(await stage.auditor.contradictions()).toEqual([])
  expect(watch.differences).toEqual([])
  report('races', { races: RACES, 'winners in each': RACERS, nodes: NODES, 'ledger reads': watch.reads })
})
