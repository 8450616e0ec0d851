import { expect, test } from 'vitest'
import { fc } from '../tests/support/properties.ts'
import * as rules from './rules.ts'
import {
  ACTUAL_MAX_MS,
  type Closeness,
  judge,
  TARGET_COUNT,
  TARGET_MIN_MS,
  TARGET_STEP_MS,
  WIN_TOLERANCE_MS,
} from './rules.ts'

const target = fc.integer({ min: 0, max: TARGET_COUNT - 1 }).map(n => TARGET_MIN_MS + n * TARGET_STEP_MS)
const actual = fc.integer({ min: 1, max: ACTUAL_MAX_MS })

/** The limits of each feedback message in ms, from section 8 of the specification. */
const FEEDBACK: [closeness: Closeness, from: number, to: number, message: string][] = [
  ['perfect', 0, 0, "PERFECT! You're a timing genius!"],
  ['close', 1, 50, "SO close! You've got serious skills!"],
  ['near', 51, 100, 'Nearly there! Just a tiny adjustment needed!'],
  ['fair', 101, 300, 'Not bad! Keep practicing!'],
  ['off', 301, 500, 'Whoops! That was a bit off!'],
  ['far', 501, 1_000, 'Were you even trying?'],
  ['wild', 1_001, 595_000, 'Wow... that was... something!'],
]

test.each(FEEDBACK)(
  'gives the feedback "%s" from %i to %i ms early or late: %s',
  (closeness, from, to, message) => {
    for (const distanceMs of [from, to, -from, -to]) {
      const { feedback } = judge(5_000, 5_000 + distanceMs)
      expect(feedback.closeness).toBe(closeness)
      expect(feedback.message.slice(0, message.length)).toBe(message)
    }
  },
)

test('ends every feedback message with one emoji', () => {
  for (const [, distanceMs] of FEEDBACK) {
    expect(judge(1_000, 1_000 + distanceMs).feedback.message).toMatch(/[.!?] \p{RGI_Emoji}$/v)
  }
})

test('returns the signed difference, and counts a difference within the tolerance as a win', () => {
  const near = fc.integer({ min: -WIN_TOLERANCE_MS - 1, max: WIN_TOLERANCE_MS + 1 })
  fc.assert(
    fc.property(target, fc.oneof(near, actual), (targetMs, differenceMs) => {
      const judged = judge(targetMs, targetMs + differenceMs)
      expect(judged.differenceMs).toBe(differenceMs)
      expect(judged.wins).toBe(Math.abs(differenceMs) <= 100)
    }),
  )
})

test('has the constants of the specification', () => {
  expect(rules).toMatchObject({
    TARGET_MIN_MS: 1_000,
    TARGET_STEP_MS: 10,
    TARGET_MAX_MS: 5_000,
    ACTUAL_MAX_MS: 600_000,
    WIN_TOLERANCE_MS: 100,
    TAPS_PER_ATTEMPT: 1,
    ROUND_LIFETIME_MS: 600_000,
    LEADERBOARD_SIZE: 10,
    RECENT_ATTEMPTS: 5,
    MY_ATTEMPTS: 30,
    HAND_SIZE: 5,
    TODAY_SIZE: 10,
    RANK_LIMIT: 1_000,
    LIVE_WRITES_PER_SECOND: 10,
    TRACK_LOOP_MS: 5_000,
    CONFETTI_PARTICLES: 100,
    STOP_DEBOUNCE_MS: 250,
    START_DEBOUNCE_MS: 450,
    WIN_SHOWN_MS: 1_800,
    WIN_SEEN_MS: 900,
    CLAIM_DEBOUNCE_MS: 450,
    NAME_MAX_GRAPHEMES: 32,
    NAME_MAX_LENGTH: 200,
    PASSWORD_MIN_LENGTH: 8,
    PASSWORD_MAX_LENGTH: 256,
  })
  const feedback = rules.FEEDBACK.map(({ limitMs }) => limitMs)
  expect(feedback).toEqual([0, 50, 100, 300, 500, 1_000])
})
