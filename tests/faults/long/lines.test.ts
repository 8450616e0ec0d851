import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Recorded, Round, Start } from '../../../contract/api.ts'
import { sendableAt } from '../../../contract/clock.ts'
import { judge } from '../../../contract/rules.ts'
import { toMs, toSeconds } from '../../../contract/time.ts'
import { Client } from '../../support/client.ts'
import { Random } from '../../support/random.ts'
import { delayed, Relay } from '../../support/relay.ts'
import { report, SEED } from '../../support/size.ts'
import { gameStage } from '../../support/stage.ts'

const ROUNDS = 200
const AT_ONCE = 25
/** Targets up to this make a short round: about 1 in 13. */
const SHORT_TARGET_S = 1.3

const random = new Random(SEED)
const stage = gameStage(1, { clockToleranceMs: 750 })

/** A guest behind a slow line who has a short target. */
async function guestAt(url: string): Promise<{ browser: Client; round: Round }> {
  for (;;) {
    const browser = new Client(stage.url())
    const { round } = await browser.session()
    if (round.target_time <= SHORT_TARGET_S) return { browser: browser.copy(url), round }
  }
}

/**
 * Plays a round in real time, as the page does: Start is sent at the press, and the time runs without waiting for its
 * answer. The attempt is sent once Start is answered and enough time has passed not to look too fast.
 */
async function play(url: string): Promise<{ wins: boolean; recorded: Recorded }> {
  const { browser, round } = await guestAt(url)
  // Opens the connection, as an earlier call of a page would have.
  await browser.session()
  const pressedAt = performance.now()
  const starting = browser
    .post<Start>('/api/rounds', { round: round.token })
    .then(({ body }) => ({ start: body.start, answeredAt: performance.now() }))
  await sleep(toMs(round.target_time))
  const actualMs = Math.round(performance.now() - pressedAt)
  const { start, answeredAt } = await starting
  await sleep(Math.max(0, sendableAt(answeredAt, actualMs) - performance.now()))
  const attempt = { start, username: 'Far Away', actual_time: toSeconds(actualMs) }
  const { body } = await browser.post<Recorded>('/api/attempts', attempt)
  return { wins: judge(toMs(round.target_time), actualMs).wins, recorded: body }
}

it.each([20, 200, 800])(
  'loses no honest win at %i ms each way, with jitter of up to half of it',
  async delayMs => {
    const line = await Relay.toUrl(stage.url(), delayed({ delayMs, jitterMs: delayMs / 2, random }))
    let left = ROUNDS
    let hits = 0
    const seat = async () => {
      while (left-- > 0) {
        const { wins, recorded } = await play(line.url)
        expect(recorded).toMatchObject({ reason: null, verified: true })
        expect(recorded.attempt.won_taps !== null).toBe(wins)
        hits += wins ? 1 : 0
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, seat))
    await line.cut()
    report(`a line of ${delayMs} ms each way`, { rounds: ROUNDS, hits })
  },
)
