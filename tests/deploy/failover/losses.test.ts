import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Auditor } from '../../support/audit.ts'
import { Crowd } from '../../support/crowd.ts'
import { LedgerWatch } from '../../support/ledger-watch.ts'
import { Random } from '../../support/random.ts'
import { LONG, report, SEED, sized } from '../../support/size.ts'
import { expectNothingLost } from '../../support/verdict.ts'
import { Cluster } from './cluster.ts'
import { costs, nobodyIsWaitedFor } from './costs.ts'
import { Desk } from './desk.ts'
import { Doors } from './doors.ts'
import type { Loss } from './losses/loss.ts'
import { LOSSES, type LossName, plan } from './losses.ts'
import { type Outcome, Tally } from './tally.ts'
import { Watchers } from './watchers.ts'

const { FAILOVER_FOLDER = '', FAILOVER_ONLY } = process.env
const PLAYERS = 24
const PAUSE_MS = sized(50, 20)
const READ_PAUSE_MS = 100
const WATCHERS_OF_EACH_DOOR = 3
/** Attempts acknowledged between two losses. */
const LULL: readonly [number, number] = [100, 300]
const STALE_MS = 5_000
const ANSWER_MAX_MS = 10_000
/** For what an hour has left, a million attempts; read through an HAProxy that cuts what hangs. ms */
const AUDIT_MAX_MS = 60_000
/** How long each kind of replication is measured. */
const SECONDS = sized(5, 40)

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
async function lose(
  name: LossName,
  crowd: Crowd,
  watchers: Watchers,
): Promise<Pick<Outcome, 'play' | 'leads' | 'whole'>> {
  const loss: Loss = LOSSES[name]
  const before = await cluster.awaitTimeline()
  crowd.longestWaitMs = 0
  const began = performance.now()
  const since = (then: number) => Math.round(performance.now() - then)
  const leads = loss.newLeader ? cluster.awaitTimeline(before).then(() => since(began)) : null
  const mend = await loss.strike(cluster)
  if (loss.standstillMs !== undefined) await sleep(loss.standstillMs)
  const mendedAt = performance.now()
  if (loss.standstillMs !== undefined) await mend()
  await crowd.everybody()
  const { longestWaitMs, acknowledged } = crowd
  const play = loss.standstillMs === undefined ? Math.round(longestWaitMs) : since(mendedAt)
  const seen = Math.max(0, ...acknowledged.slice(-PLAYERS).map(({ id }) => id))
  expect({ name, stale: await watchers.stale(seen, STALE_MS) }).toEqual({ name, stale: 0 })
  if (loss.standstillMs === undefined) await mend()
  await cluster.whole()
  return { play, leads: await leads, whole: since(began) }
}

it('loses nothing that was acknowledged, whatever part is lost, and is whole again by itself', async () => {
  const crowd = new Crowd({ players: PLAYERS, random, url: () => doors.url(), pauseMs: PAUSE_MS })
  const watch = new LedgerWatch(auditor, READ_PAUSE_MS)
  const watchers = new Watchers(doors, WATCHERS_OF_EACH_DOOR)
  const tally = new Tally()
  let seen = { attempts: 0, reads: 0, wrong: 0 }
  try {
    for (const name of plan(random, LONG, FAILOVER_ONLY)) {
      await crowd.more(random.whole(...LULL))
      const took = await lose(name, crowd, watchers)
      const before = seen
      const acknowledged = crowd.acknowledged.slice(before.attempts)
      const lost = await auditor.lost(acknowledged)
      seen = { attempts: crowd.acknowledged.length, reads: watch.reads, wrong: watch.differences.length }
      await tally.note(name, {
        ...took,
        attempts: acknowledged.length,
        lost: lost.length,
        reads: seen.reads - before.reads,
        wrong: seen.wrong - before.wrong,
      })
      expect({ name, lost, wrongs: crowd.wrongs }).toEqual({ name, lost: [], wrongs: [] })
      expect(await auditor.unpaid([...crowd.credited.values()])).toEqual([])
      expect(watch.differences).toEqual([])
    }
  } finally {
    process.stdout.write(`\n${tally.table()}\n`)
  }
  await watchers.close()
  const figures = await expectNothingLost(crowd, watch, auditor)
  report('failover', { losses: tally.losses, 'streams opened': watchers.streams, ...figures })
  expect(crowd.slowestMs).toBeLessThan(ANSWER_MAX_MS)
})

it('costs what waiting for another machine costs', async () => {
  const before = await auditor.attempts()
  const crowd = new Crowd({ players: PLAYERS, random, url: () => doors.url() })
  const watch = new LedgerWatch(auditor, READ_PAUSE_MS)
  await crowd.more(PLAYERS)
  const synchronous = await costs(crowd, auditor, SECONDS)
  const leader = await cluster.awaitLeader()
  await cluster.patronictl(leader, 'edit-config', '--force', '--set', 'synchronous_mode=off')
  await auditor.read(nobodyIsWaitedFor)
  const asynchronous = await costs(crowd, auditor, SECONDS)
  // Nobody follows it either: their work is no longer in it.
  await Promise.all(cluster.others(leader).map(machine => machine.stop('taps-database')))
  const plain = await costs(crowd, auditor, SECONDS)
  await expectNothingLost(crowd, watch, auditor, before)
  report('commits wait for a replica', { ...synchronous })
  report('replicas, and nobody waits for them', { ...asynchronous })
  report('one plain PostgreSQL', { ...plain })
})
