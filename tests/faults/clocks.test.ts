import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Recorded, Round, Start } from '../../contract/api.ts'
import { sendableAt } from '../../contract/clock.ts'
import { judge } from '../../contract/rules.ts'
import { toMs, toSeconds } from '../../contract/time.ts'
import { Rounds } from '../../server/game/rounds.ts'
import { deriveKeys } from '../../server/lib/keys.ts'
import { Client } from '../support/client.ts'
import { Random } from '../support/random.ts'
import { report, SEED, sized } from '../support/size.ts'
import { ownStage } from '../support/stage.ts'
import { openSlowLine } from './slow-line.ts'

const ROUNDS = sized(8, 200)
const AT_ONCE = 25
const TIMEOUT_MS = sized(60_000, 900_000)
/** Among the targets, those that make a round short: about 1 in 13. */
const SHORT_TARGET_S = 1.3
const RESEND_MS = 25
const SECRET = 'a secret that only these tests know, 32 or more'
const FIVE_MINUTES_MS = 300_000

const random = new Random(SEED)
const stage = ownStage({ SECRET, CLOCK_TOLERANCE_MS: '750' })

const isShort = (targetS: number) => targetS <= SHORT_TARGET_S
/** So long that a slow machine has answered well before it has passed. */
const isLong = (targetS: number) => targetS >= 3

/** Somebody with a round in hand. */
interface Guest {
  readonly browser: Client
  readonly round: Round
}

async function guestAt(url: string, fits = isShort): Promise<Guest> {
  for (;;) {
    const browser = new Client(stage.node.url)
    const { round } = await browser.session()
    if (fits(round.target_time)) return { browser: browser.copy(url), round }
  }
}

/** Sends until it is answered. */
async function insist<Body>(browser: Client, path: string, json: unknown): Promise<Body> {
  for (;;) {
    try {
      const { status, body } = await browser.post<Body>(path, json)
      if (status < 300) return body
      throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    } catch (error) {
      // fetch says TypeError when the connection breaks.
      if (!(error instanceof TypeError)) throw error
      await sleep(RESEND_MS)
    }
  }
}

interface Played {
  /** By the rules, whatever the server says. */
  readonly wins: boolean
  readonly recorded: Recorded
  /** From Stop to its answer. */
  readonly answerMs: number
}

/**
 * Plays a round in real time, as the page does: Start's request leaves at the press and nothing waits for it; the
 * attempt leaves when Start is answered and, for the patient, when it can no longer look too fast.
 */
async function play(
  { browser, round }: Guest,
  patient: boolean,
  onStop: () => void = () => undefined,
): Promise<Played> {
  // A connection that is open already.
  await browser.session().catch(() => undefined)
  const pressedAt = performance.now()
  const starting = insist<Start>(browser, '/api/rounds', { round: round.token }).then(({ start }) => ({
    start,
    answeredAt: performance.now(),
  }))
  await sleep(toMs(round.target_time))
  const stoppedAt = performance.now()
  const actualMs = Math.round(stoppedAt - pressedAt)
  onStop()
  const { start, answeredAt } = await starting
  if (patient) await sleep(Math.max(0, sendableAt(answeredAt, actualMs) - performance.now()))
  const attempt = { start, username: 'Far Away', actual_time: toSeconds(actualMs) }
  const recorded = await insist<Recorded>(browser, '/api/attempts', attempt)
  return {
    wins: judge(toMs(round.target_time), actualMs).wins,
    recorded,
    answerMs: performance.now() - stoppedAt,
  }
}

async function playMany(url: string, patient: boolean): Promise<Played[]> {
  const played: Played[] = []
  let left = ROUNDS
  const seat = async () => {
    while (left-- > 0) played.push(await play(await guestAt(url), patient))
  }
  await Promise.all(Array.from({ length: Math.min(ROUNDS, AT_ONCE) }, seat))
  return played
}

const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] ?? 0

function tell(delayMs: number, patient: boolean, played: Played[]): void {
  const hits = played.filter(({ wins }) => wins)
  const kept = hits.filter(({ recorded }) => recorded.attempt.won_taps !== null)
  report(`${delayMs} ms ± half each way, ${patient ? 'as the page plays' : 'sent without waiting'}`, {
    rounds: played.length,
    hits: hits.length,
    'wins kept': kept.length,
    'median ms from Stop to its answer': Math.round(median(played.map(({ answerMs }) => answerMs))),
  })
}

it.each(sized([20, 800], [20, 200, 800]))(
  'loses no honest win at %i ms each way, with jitter of up to half of it',
  async delayMs => {
    const line = await openSlowLine(stage.node.url, { delayMs, jitterMs: delayMs / 2, random })
    const played = await playMany(line.url, true)
    tell(delayMs, true, played)
    // For comparison only: what chance takes from those who do not wait differs from run to run.
    if (sized(false, true)) tell(delayMs, false, await playMany(line.url, false))
    await line.cut()

    expect(played).toHaveLength(ROUNDS)
    for (const { wins, recorded } of played) {
      expect(recorded).toMatchObject({ reason: null, verified: true })
      expect(recorded.attempt.won_taps !== null).toBe(wins)
    }
  },
  TIMEOUT_MS,
)

it('keeps the win of an attempt that a lost connection holds back for five minutes', async () => {
  const line = await openSlowLine(stage.node.url, { delayMs: 5, jitterMs: 0, random })
  const { browser, round } = await guestAt(line.url)
  const rounds = new Rounds(deriveKeys(SECRET))
  const { start } = rounds.start(rounds.readRound(round.token), Date.now() - FIVE_MINUTES_MS)
  await line.cut()
  const attempt = { start, username: 'Held Back', actual_time: round.target_time }
  const sent = insist<Recorded>(browser, '/api/attempts', attempt)
  await expect(browser.session()).rejects.toThrow(TypeError)
  await line.mend()
  const recorded = await sent
  await line.cut()
  expect(recorded).toMatchObject({ reason: null, verified: true })
  expect(recorded.attempt.won_taps).toBeGreaterThanOrEqual(1)
})

it.each([
  ['keeps the win of a round whose Start arrives only after its Stop', true],
  ['would not believe it if the page did not wait', false],
])('%s', async (_, patient) => {
  const line = await openSlowLine(stage.node.url, { delayMs: 5, jitterMs: 0, random })
  const guest = await guestAt(line.url, patient ? isShort : isLong)
  await line.cut()
  const { wins, recorded } = await play(guest, patient, () => line.mend())
  await line.cut()
  expect(recorded.reason).toBe(patient ? null : 'clock')
  expect(recorded.attempt.won_taps !== null).toBe(patient && wins)
})
