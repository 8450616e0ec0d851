import { describe, expect, it, vi } from 'vitest'
import { Crowd } from '../support/crowd.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { Random } from '../support/random.ts'
import { postmasterOf, send } from '../support/shared-postgres.ts'
import { report, SEED, sized } from '../support/size.ts'
import { ownStage, sharedStage } from '../support/stage.ts'
import { expectNothingLost } from '../support/verdict.ts'

const TIMES = sized(1, 10)
const PLAYERS = 20
/** Most of the short run is waiting, in which others need the machine. */
const PAUSE_MS = sized(80, 0)
const READ_PAUSE_MS = 10
/** Attempts before the database goes away. */
const LULL: readonly [number, number] = sized([20, 60], [50, 200])
/** Play is back when so many attempts are acknowledged again. */
const BACK = 10
const BACK_MAX_MS = 5_000
/** Until a stopped database has gone and another is up. */
const RESTART_MAX_MS = 30_000
/** Fast, polite and immediate, as PostgreSQL takes them. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const

const random = new Random(SEED)

/** How long it takes until people play again, from now on, ms. */
async function untilPlay(crowd: Crowd): Promise<number> {
  const began = performance.now()
  await crowd.more(BACK)
  return performance.now() - began
}

describe('the embedded database', () => {
  const stage = ownStage()

  /** Waits for another main process that answers. */
  async function restarted(old: number): Promise<void> {
    await vi.waitUntil(async () => ![0, old].includes(await postmasterOf(stage.dataDir)), {
      timeout: RESTART_MAX_MS,
      interval: 5,
    })
    await stage.auditor.attempts()
  }

  it('is brought back when it is told to stop under load, and play goes on', async () => {
    const crowd = new Crowd({ players: PLAYERS, random, url: () => stage.node.url, pauseMs: PAUSE_MS })
    const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
    let slowestMs = 0
    for (const signal of Array(TIMES).fill(SIGNALS).flat()) {
      await crowd.more(random.whole(...LULL))
      const old = await postmasterOf(stage.dataDir)
      send(signal, [old])
      await restarted(old)
      slowestMs = Math.max(slowestMs, await untilPlay(crowd))
    }
    const figures = await expectNothingLost(crowd, watch, stage.auditor)
    // The server never went away, so every call was answered.
    expect(crowd.statuses.get('lost')).toBeUndefined()
    expect(stage.node.isUp).toBe(true)
    expect(slowestMs).toBeLessThan(BACK_MAX_MS)
    report('embedded database restarted', {
      times: TIMES * SIGNALS.length,
      'slowest return to play ms': Math.round(slowestMs),
      ...figures,
    })
  })
})

describe('an external database', () => {
  const stage = sharedStage(2, {}, 'relay')
  const absences = [
    { begin: () => stage.postgres.stop(), end: () => stage.postgres.startAgain() },
    { begin: () => stage.relay.cut(), end: () => stage.relay.mend() },
  ]

  /** What the nodes say of themselves while the database is away. */
  async function expectAway(): Promise<void> {
    for (const { url, isUp } of stage.nodes) {
      const ready = await fetch(`${url}/readyz`)
      expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1'])
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      expect(isUp).toBe(true)
    }
  }

  it('may be stopped or refuse connections under load, and play goes on', async () => {
    const crowd = new Crowd({
      players: PLAYERS,
      random,
      url: () => random.pick(stage.nodes).url,
      pauseMs: PAUSE_MS,
    })
    const watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
    let slowestMs = 0
    for (const { begin, end } of Array(TIMES).fill(absences).flat()) {
      await crowd.more(random.whole(...LULL))
      await begin()
      await expectAway()
      await end()
      slowestMs = Math.max(slowestMs, await untilPlay(crowd))
    }
    const figures = await expectNothingLost(crowd, watch, stage.auditor)
    expect(crowd.statuses.get('lost')).toBeUndefined()
    expect(slowestMs).toBeLessThan(BACK_MAX_MS)
    report('external database away', {
      times: TIMES * absences.length,
      'slowest return to play ms': Math.round(slowestMs),
      ...figures,
    })
  })
})
