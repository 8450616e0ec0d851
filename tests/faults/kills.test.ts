import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { Crowd } from '../support/crowd.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { ServerNode } from '../support/node.ts'
import { Random } from '../support/random.ts'
import { backendsOf, childrenOf, postmasterOf, send } from '../support/shared-postgres.ts'
import { report, SEED, sized } from '../support/size.ts'
import { ownStage } from '../support/stage.ts'
import { expectNothingLost } from '../support/verdict.ts'

const KILLS_OF_EACH_KIND = sized(1, 50)
/** Attempts acknowledged between two kills. */
const LULL: readonly [number, number] = sized([40, 120], [350, 850])
const MIN_ACKNOWLEDGED = sized(200, 100_000)
const MIN_READS = sized(40, 6_000)
const PLAYERS = 30
/** Most of the short run is waiting, in which others need the machine. */
const PAUSE_MS = sized(80, 0)
const READ_PAUSE_MS = 25
/** Within this the database is up again. */
const START_MAX_MS = 60_000
/** Within this a start of a server is killed. */
const START_MS = 400

const KINDS = ['node', 'postmaster', 'backend', 'everything'] as const
type Kind = (typeof KINDS)[number]

const random = new Random(SEED)
/** What is won is claimed long before it would return to the pool. */
const stage = ownStage({ PRIZE_HOLD_MINUTES: '600' })

/** Kills without a warning and starts again what does not start by itself. */
async function kill(kind: Kind): Promise<void> {
  if (kind === 'node') {
    await stage.node.end('SIGKILL')
    return startAgain()
  }
  if (kind === 'backend') {
    const pids = await stage.auditor.read(backendsOf)
    return send('SIGKILL', random.shuffle(pids).slice(0, 1))
  }
  const postmaster = await vi.waitUntil(() => postmasterOf(stage.dataDir), { timeout: START_MAX_MS })
  if (kind === 'postmaster') return send('SIGKILL', [postmaster])
  const family = [postmaster, ...(await childrenOf(postmaster)), stage.node.pid]
  send('SIGKILL', random.shuffle(family))
  await stage.node.exited
  await startAgain()
}

/** Starts the server; one start in four is killed on its way, as an impatient supervisor would. */
async function startAgain(): Promise<void> {
  if (random.next() < 0.25) {
    const hurried = ServerNode.launch(stage.settings())
    await sleep(random.whole(0, START_MS))
    await hurried.end('SIGKILL')
  }
  stage.node = await ServerNode.start(stage.settings())
}

it('loses nothing that was acknowledged, whatever is killed', async () => {
  expect(await stage.auditor.durability()).toEqual([
    'fsync on',
    'full_page_writes on',
    'synchronous_commit on',
  ])
  const plan = random.shuffle(KINDS.flatMap(kind => Array<Kind>(KILLS_OF_EACH_KIND).fill(kind)))
  const crowd = new Crowd({ players: PLAYERS, random, url: () => stage.node.url, pauseMs: PAUSE_MS })
  const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
  const slowestMs = new Map<Kind, number>()
  let checked = 0
  for (const kind of plan) {
    await crowd.more(random.whole(...LULL))
    const killedAt = performance.now()
    await kill(kind)
    // More than were in flight: some of these have come since.
    await crowd.more(2 * PLAYERS)
    slowestMs.set(kind, Math.max(slowestMs.get(kind) ?? 0, Math.round(performance.now() - killedAt)))
    const acknowledged = crowd.acknowledged.slice(checked)
    checked += acknowledged.length
    const lost = await stage.auditor.lost(acknowledged)
    expect({ kind, lost, wrongs: crowd.wrongs }).toEqual({ kind, lost: [], wrongs: [] })
    expect(await stage.auditor.unpaid([...crowd.credited.values()])).toEqual([])
    expect(await stage.auditor.miscredited()).toEqual([])
  }
  const figures = await expectNothingLost(crowd, watch, stage.auditor)
  expect(crowd.acknowledged.length).toBeGreaterThanOrEqual(MIN_ACKNOWLEDGED)
  expect(watch.reads).toBeGreaterThanOrEqual(MIN_READS)
  report('kills', {
    kills: plan.length,
    'slowest return to play ms': Array.from(slowestMs, ([kind, ms]) => `${kind} ${ms}`).join(' '),
    ...figures,
  })
})
