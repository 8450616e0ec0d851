import { afterAll, beforeAll, expect, it } from 'vitest'
import { Auditor } from '../../support/audit.ts'
import { Crowd } from '../../support/crowd.ts'
import { LedgerWatch } from '../../support/ledger-watch.ts'
import { Random } from '../../support/random.ts'
import { report, SEED } from '../../support/size.ts'
import { expectNothingLost } from '../../support/verdict.ts'
import { Cluster } from './cluster.ts'
import { Desk } from './desk.ts'
import { Doors } from './doors.ts'
import { LOSSES, type Loss, type LossName } from './losses.ts'
import { type Outcome, Tally } from './tally.ts'
import { Watchers } from './watchers.ts'

const { FAILOVER_FOLDER = '' } = process.env
const PLAYERS = 24
/** So that the proxies refuse none of the addresses from which the crowd comes. */
const PAUSE_MS = 200
const READ_PAUSE_MS = 100
const WATCHERS_OF_EACH_DOOR = 3
/** Attempts acknowledged between two losses. */
const LULL: readonly [number, number] = [100, 300]
const STALE_MS = 5_000
const ANSWER_MAX_MS = 10_000
/** For what an hour has left, a million attempts; read through an HAProxy that cuts what hangs. ms */
const AUDIT_MAX_MS = 60_000
const NAMES = Object.keys(LOSSES) as LossName[]

const random = new Random(SEED)
let cluster: Cluster
let desk: Desk
let doors: Doors
let auditor: Auditor

beforeAll(async () => {
  cluster = await Cluster.open(FAILOVER_FOLDER, {
    PUBLIC_URL: 'https://10.0.0.101',
    RATE_LIMITS: 'off',
    CLOCK_TOLERANCE_MS: '600000',
    LOG_LEVEL: 'warn',
    // What is won is claimed long before it would return to the pool.
    PRIZE_HOLD_MINUTES: '600',
  })
  desk = await Desk.open(FAILOVER_FOLDER)
  doors = await Doors.open(cluster.machines, random)
  auditor = new Auditor(desk.connection, { query_timeout: AUDIT_MAX_MS })
})

afterAll(async () => {
  await auditor?.close()
  await doors?.close()
  await desk?.close()
  await cluster?.close()
})

/** Loses a part, waits until everybody plays and watches again, and until the part is back. */
async function lose(name: LossName, crowd: Crowd, watchers: Watchers): Promise<Omit<Outcome, 'attempts'>> {
  const loss: Loss = LOSSES[name]
  const before = await cluster.awaitTimeline()
  crowd.longestWaitMs = 0
  const began = performance.now()
  const since = (then: number) => Math.round(performance.now() - then)
  const leads = loss.newLeader ? cluster.awaitTimeline(before).then(() => since(began)) : null
  const mend = await loss.strike(cluster)
  await crowd.everybody()
  const { longestWaitMs, acknowledged } = crowd
  const play = Math.round(longestWaitMs)
  const seen = Math.max(0, ...acknowledged.slice(-PLAYERS).map(({ id }) => id))
  expect({ name, stale: await watchers.stale(seen, STALE_MS) }).toEqual({ name, stale: 0 })
  await mend()
  await cluster.whole()
  return { play, leads: await leads, whole: since(began) }
}

it('loses nothing that was acknowledged, whatever part is lost, and is whole again by itself', async () => {
  const crowd = new Crowd({ players: PLAYERS, random, url: () => doors.url(), pauseMs: PAUSE_MS })
  const watch = new LedgerWatch(auditor, READ_PAUSE_MS)
  const watchers = new Watchers(doors, WATCHERS_OF_EACH_DOOR)
  const tally = new Tally()
  let known = 0
  try {
    for (const name of random.shuffle(NAMES)) {
      await crowd.more(random.whole(...LULL))
      const took = await lose(name, crowd, watchers)
      const acknowledged = crowd.acknowledged.slice(known)
      known += acknowledged.length
      const lost = await auditor.lost(acknowledged)
      await tally.note(name, { ...took, attempts: acknowledged.length })
      expect({ name, lost, wrongs: crowd.wrongs }).toEqual({ name, lost: [], wrongs: [] })
      expect(await auditor.unpaid([...crowd.credited.values()])).toEqual([])
      expect(watch.differences).toEqual([])
    }
  } finally {
    process.stdout.write(`\n${tally.table()}\n`)
  }
  await watchers.close()
  const figures = await expectNothingLost(crowd, watch, auditor)
  report('failover', { losses: NAMES.length, 'streams opened': watchers.streams, ...figures })
  expect(crowd.slowestMs).toBeLessThan(ANSWER_MAX_MS)
})
