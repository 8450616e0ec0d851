import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Crowd } from '../support/crowd/crowd.ts'
import { ServerNode } from '../support/node.ts'
import { Random } from '../support/random.ts'
import { backendsOf, postmasterOf, processesOf, send } from '../support/shared-postgres.ts'
import { LONG, SEED, sized } from '../support/size.ts'
import { ownStage } from '../support/stage.ts'
import { until } from '../support/until.ts'

const KILLS_OF_EACH_KIND = sized(1, 50)
/** The fewest and the most attempts before each kill. */
const ATTEMPTS_BETWEEN: readonly [number, number] = sized([30, 60], [350, 850])
const PLAYERS = sized(15, 30)
/** The pause between a player's actions. In the short run, the pause leaves processor time to other tests. */
const PAUSE_MS = sized(80, 0)
const START_MS = 400

/** The signals that stop PostgreSQL without waiting for its clients. */
const STOPS = ['SIGINT', 'SIGQUIT'] as const
const KINDS = ['node', 'postmaster', 'backend', 'everything', ...STOPS] as const
type Kind = (typeof KINDS)[number]

const random = new Random(SEED)
// Keeps prizes from returning to the pool during the test.
const stage = ownStage({ PRIZE_HOLD_MINUTES: '600' })

/** Kills or stops processes of one kind, and restarts the server unless it recovers by itself. */
async function kill(kind: Kind): Promise<void> {
  if (kind === 'node') {
    await stage.node.end('SIGKILL')
    return startAgain()
  }
  if (kind === 'backend') {
    const pids = await stage.auditor.read(backendsOf)
    return send('SIGKILL', random.shuffle(pids).slice(0, 1))
  }
  const processes = await stage.auditor.read(processesOf)
  const postmaster = await until('a postmaster', () => postmasterOf(stage.dataDir))
  if (kind !== 'everything') {
    send(kind === 'postmaster' ? 'SIGKILL' : kind, [postmaster])
    return restarted(postmaster)
  }
  send('SIGKILL', random.shuffle([postmaster, ...processes, stage.node.pid]))
  await stage.node.exited
  await startAgain({ killFirst: true })
}

/** Starts the server, sometimes after a start that is killed halfway. */
async function startAgain({ killFirst = LONG && random.next() < 0.25 } = {}): Promise<void> {
  if (killFirst) {
    const killed = ServerNode.launch(stage.settings())
    await sleep(random.whole(0, START_MS))
    await killed.end('SIGKILL')
  }
  stage.node = await ServerNode.start(stage.settings())
}

/** Waits until PostgreSQL answers under a new main process. */
async function restarted(old: number): Promise<void> {
  const isAnother = async () => ![0, old].includes(await postmasterOf(stage.dataDir))
  await until('another postmaster', isAnother)
  await stage.auditor.rows('select')
}

it('keeps every acknowledged attempt when the server or any process of PostgreSQL is killed', async () => {
  const settings = await stage.auditor.rows(
    `select from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'on'`,
  )
  expect(settings).toHaveLength(3)
  const plan = random.shuffle(KINDS.flatMap(kind => Array<Kind>(KILLS_OF_EACH_KIND).fill(kind)))
  const { auditor } = stage
  const crowd = new Crowd({ players: PLAYERS, random, url: () => stage.node.url, pauseMs: PAUSE_MS, auditor })
  for (const kind of plan) {
    await crowd.more(random.whole(...ATTEMPTS_BETWEEN))
    await kill(kind)
    // Waits for more attempts than can be in flight, so that some were sent after the kill.
    await crowd.more(2 * PLAYERS)
    await crowd.audit(kind)
  }
  await crowd.leave()
})
