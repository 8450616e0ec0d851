import { afterAll, beforeAll, expect, it } from 'vitest'
import { Auditor } from '../../support/audit.ts'
import { Crowd } from '../../support/crowd/crowd.ts'
import { Random } from '../../support/random.ts'
import { SEED } from '../../support/size.ts'
import { Cluster } from './cluster.ts'
import { LOSSES, type Loss, type LossName } from './losses.ts'
import { OutsideClient } from './outside-client.ts'
import { Viewers } from './viewers.ts'
import { VirtualIps } from './virtual-ips.ts'

const { FAILOVER_FOLDER = '' } = process.env
const PLAYERS = 24
/** The pause between a player's actions, which keeps the crowd below the proxies' limits. */
const PAUSE_MS = 200
const VIEWERS_PER_IP = 3
/** The fewest and the most attempts acknowledged between two losses. */
const ATTEMPTS_BETWEEN: readonly [number, number] = [100, 300]
const STALE_MS = 5_000
const ANSWER_MAX_MS = 10_000
/** The timeout of an audit, long enough to read a million attempts through HAProxy. */
const AUDIT_MAX_MS = 60_000
const NAMES = Object.keys(LOSSES) as LossName[]

const random = new Random(SEED)
let cluster: Cluster
let outsideClient: OutsideClient
let virtualIps: VirtualIps
let auditor: Auditor

beforeAll(async () => {
  cluster = await Cluster.open(FAILOVER_FOLDER, {
    PUBLIC_URL: 'https://10.0.0.101',
    RATE_LIMITS: 'off',
    CLOCK_TOLERANCE_MS: '600000',
    LOG_LEVEL: 'warn',
    // Keeps prizes from returning to the pool during the test.
    PRIZE_HOLD_MINUTES: '600',
  })
  outsideClient = await OutsideClient.open(FAILOVER_FOLDER)
  virtualIps = await VirtualIps.open(cluster.machines, random)
  auditor = new Auditor(outsideClient.connection, { query_timeout: AUDIT_MAX_MS })
})

afterAll(async () => {
  await auditor?.close()
  await virtualIps?.close()
  await outsideClient?.close()
  await cluster?.close()
})

process.stdout.write(`FAULTS_SEED=${SEED}\n`)

/** Prints a row of the table in deploy/ha/README.md. */
function print(...cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1)

/**
 * Loses a part, waits until all players and viewers are served, then repairs the part.
 *
 * @returns the seconds for which a player could not play, until there was a new leader and until the cluster was
 *   whole
 */
async function lose(name: LossName, crowd: Crowd, viewers: Viewers): Promise<string[]> {
  const loss: Loss = LOSSES[name]
  const before = await cluster.awaitTimeline()
  crowd.longestWaitMs = 0
  const began = performance.now()
  const took = () => inSeconds(performance.now() - began)
  const leads = loss.newLeader ? cluster.awaitTimeline(before).then(took) : ''
  const repair = await loss.strike(cluster)
  await crowd.everyPlayerRecords()
  const { longestWaitMs, acknowledged } = crowd
  const seen = Math.max(0, ...acknowledged.slice(-PLAYERS).map(({ id }) => id))
  expect({ name, stale: await viewers.stale(seen, STALE_MS) }).toEqual({ name, stale: 0 })
  await repair()
  await cluster.whole()
  return [inSeconds(longestWaitMs), await leads, took()]
}

it('the cluster keeps every acknowledged attempt and recovers by itself, whichever part is lost', async () => {
  const crowd = new Crowd({
    players: PLAYERS,
    random,
    url: () => virtualIps.url(),
    pauseMs: PAUSE_MS,
    auditor,
  })
  const viewers = new Viewers(virtualIps, VIEWERS_PER_IP)
  print('lost', 'play resumed after, s', 'new leader, s', 'whole, s', 'attempts acknowledged')
  for (const name of random.shuffle(NAMES)) {
    await crowd.more(random.whole(...ATTEMPTS_BETWEEN))
    const times = await lose(name, crowd, viewers)
    print(name, ...times, `${await crowd.audit(name)}`)
  }
  await viewers.close()
  await crowd.leave()
  expect(crowd.slowestMs).toBeLessThan(ANSWER_MAX_MS)
})
