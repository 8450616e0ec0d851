import { describe, expect, it, vi } from 'vitest'
import { Crowd } from '../support/crowd.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { Random } from '../support/random.ts'
import { childrenOf, postmasterOf, send } from '../support/shared-postgres.ts'
import { report, SEED, sized } from '../support/size.ts'
import { sharedStage } from '../support/stage.ts'
import { expectNothingLost } from '../support/verdict.ts'

const HANGS = sized(1, 5)
const PLAYERS = 20
/** Most of the short run is waiting, in which others need the machine. */
const PAUSE_MS = sized(80, 0)
const READ_PAUSE_MS = 10
const LULL: readonly [number, number] = sized([20, 60], [50, 200])
/** 3 s of waiting for a turn, 2 s for a connection and 4 s for an answer of the database, and some slack. */
const ANSWER_MAX_MS = 10_000
/** Play is back when so many attempts are acknowledged again. */
const BACK = 10
const BACK_MAX_MS = 5_000

const random = new Random(SEED)
const stage = sharedStage(1, {}, 'relay')

/** All processes of PostgreSQL. */
async function family(): Promise<number[]> {
  const postmaster = await postmasterOf(stage.postgres.dataDir)
  return [postmaster, ...(await childrenOf(postmaster))]
}

const HANGING = [
  {
    what: 'network',
    hang: async () => stage.relay.hang(),
    resume: async () => stage.relay.resume(),
  },
  {
    what: 'database',
    hang: async () => send('SIGSTOP', await family()),
    resume: async () => send('SIGCONT', await family()),
  },
]

/** Until everybody has been told to come back, once on average. */
async function everybodyIsTold({ statuses }: Crowd): Promise<void> {
  const told = () => statuses.get(503) ?? 0
  const enough = told() + PLAYERS
  await vi.waitUntil(() => told() >= enough, { timeout: 3 * ANSWER_MAX_MS })
}

describe.each(HANGING)('while the $what hangs', ({ what, hang, resume }) => {
  it('everybody is answered in bounded time, and play goes on', async () => {
    const before = await stage.auditor.attempts()
    const [node] = stage.nodes
    const crowd = new Crowd({ players: PLAYERS, random, url: () => node.url, pauseMs: PAUSE_MS })
    const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
    let slowestMs = 0
    for (let count = 0; count < HANGS; count += 1) {
      await crowd.more(random.whole(...LULL))
      await hang()
      await everybodyIsTold(crowd)
      expect((await fetch(`${node.url}/readyz`)).status).toBe(503)
      expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
      await resume()
      const resumedAt = performance.now()
      await crowd.more(BACK)
      slowestMs = Math.max(slowestMs, performance.now() - resumedAt)
    }
    const figures = await expectNothingLost(crowd, watch, stage.auditor, before)
    expect(crowd.statuses.get('lost')).toBeUndefined()
    expect(crowd.slowestMs).toBeLessThan(ANSWER_MAX_MS)
    expect(slowestMs).toBeLessThan(BACK_MAX_MS)
    report(`${what} hangs`, {
      times: HANGS,
      'slowest return to play ms': Math.round(slowestMs),
      ...figures,
    })
  })
})
