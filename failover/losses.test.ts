import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Auditor } from '../faults/audit.ts'
import { Crowd } from '../faults/crowd.ts'
import { LedgerWatch } from '../faults/ledger-watch.ts'
import { report, SEED, sized } from '../faults/size.ts'
import { expectNothingLost } from '../faults/verdict.ts'
import { Random } from '../server/testing/random.ts'
import { Cluster } from './cluster.ts'
import { costs } from './costs.ts'
import { Desk } from './desk.ts'
import { Doors } from './doors.ts'
import { LOSSES, type Loss, type LossName } from './losses.ts'
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
/** How long each of both sides is measured. */
const SECONDS = sized(10, 60)

const SHORT: readonly LossName[] = [
  'nothing',
  'TAPS node killed',
  'TAPS node frozen',
  'TAPS node stopped',
  'HAProxy to the database killed',
  'HAProxy to the game killed',
  'a replica lost',
  'both replicas lost',
  'switchover',
  'PostgreSQL of the leader killed',
  'one etcd lost',
  'leader machine lost',
  'leader machine frozen',
  'disk of the leader full',
  'all machines lost',
]
const EVERY = Object.keys(LOSSES) as LossName[]
const OFTEN: readonly LossName[] = [
  'leader machine lost',
  'leader machine frozen',
  'PostgreSQL of the leader killed',
  'switchover',
  'TAPS node killed',
]

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
  auditor = new Auditor(desk.connection)
})

afterAll(async () => {
  await auditor?.close()
  await doors?.close()
  await desk?.close()
  await cluster?.close()
})

/** What is lost, in which order. */
function plan(): LossName[] {
  if (FAILOVER_ONLY) return FAILOVER_ONLY.split(',').filter((name): name is LossName => name in LOSSES)
  if (sized(true, false)) return [...SHORT]
  return random.shuffle([...EVERY, ...OFTEN.flatMap(name => Array<LossName>(4).fill(name))])
}

/** How long it took until things were as before, ms. */
interface Took {
  /** The one who waited longest could play again; where nobody could, counted from when the part was given back. */
  readonly play: number
  /** Another machine led; null where none had to. */
  readonly leads: number | null
  /** All three machines were as before. */
  readonly whole: number
}

/** Loses a part, waits until everybody plays and watches again, and until the part is back. */
async function lose(name: LossName, crowd: Crowd, watchers: Watchers): Promise<Took> {
  const loss: Loss = LOSSES[name]
  const former = await cluster.awaitLeader()
  crowd.longestWaitMs = 0
  const began = performance.now()
  const since = (then: number) => Math.round(performance.now() - then)
  const leads = loss.movesLeader ? cluster.awaitOther(former).then(() => since(began)) : null
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

async function tell(name: LossName, { play, leads, whole }: Took): Promise<void> {
  const [load = ''] = (await readFile('/proc/loadavg', 'utf8')).split(' ')
  const leader = leads === null ? '' : `, another leads after ${leads}`
  process.stdout.write(`${name}: play back after ${play} ms${leader}, whole after ${whole}, load ${load}\n`)
}

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

it('loses nothing that was acknowledged, whatever part is lost, and is whole again by itself', async () => {
  const crowd = new Crowd({ players: PLAYERS, random, url: () => doors.url(), pauseMs: PAUSE_MS })
  const watch = new LedgerWatch(auditor, READ_PAUSE_MS)
  const watchers = new Watchers(doors, WATCHERS_OF_EACH_DOOR)
  const took = new Map<LossName, number[]>()
  let checked = 0
  for (const name of plan()) {
    await crowd.more(random.whole(...LULL))
    const back = await lose(name, crowd, watchers)
    took.set(name, [...(took.get(name) ?? []), back.play])
    await tell(name, back)
    const acknowledged = crowd.acknowledged.slice(checked)
    checked += acknowledged.length
    const lost = await auditor.lost(acknowledged)
    expect({ name, lost, wrongs: crowd.wrongs }).toEqual({ name, lost: [], wrongs: [] })
    expect(await auditor.unpaid([...crowd.credited.values()])).toEqual([])
  }
  await watchers.close()
  const figures = await expectNothingLost(crowd, watch, auditor)
  expect(crowd.slowestMs).toBeLessThan(ANSWER_MAX_MS)
  report('failover', {
    losses: [...took.values()].flat().length,
    'play back after ms': Array.from(took, ([name, times]) => `${name} ${median(times)}`).join('; '),
    'streams opened': watchers.streams,
    ...figures,
  })
})

it('costs what waiting for another machine costs', async () => {
  const before = await auditor.attempts()
  const crowd = new Crowd({ players: PLAYERS, random, url: () => doors.url() })
  const watch = new LedgerWatch(auditor, READ_PAUSE_MS)
  await crowd.more(PLAYERS)
  const replicated = await costs(crowd, auditor, SECONDS)
  // One plain PostgreSQL: nobody follows it, and it waits for nobody.
  const leader = await cluster.awaitLeader()
  await cluster.patronictl(leader, 'edit-config', '--force', '--set', 'synchronous_mode=off')
  await Promise.all(cluster.others(leader).map(machine => machine.stop('taps-database')))
  await crowd.more(PLAYERS)
  const plain = await costs(crowd, auditor, SECONDS)
  await expectNothingLost(crowd, watch, auditor, before)
  report('with replicas', { ...replicated })
  report('one plain PostgreSQL', { ...plain })
})
