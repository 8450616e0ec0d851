import { describe, expect, test } from 'vitest'
import { fc } from '../tests/support/properties.ts'
import * as rules from './rules.ts'
import {
  ACTUAL_MAX_MS,
  type Closeness,
  judge,
  TARGET_COUNT,
  TARGET_MAX_MS,
  TARGET_MIN_MS,
  TARGET_STEP_MS,
  WIN_TOLERANCE_MS,
} from './rules.ts'

const target = fc.integer({ min: 0, max: TARGET_COUNT - 1 }).map(n => TARGET_MIN_MS + n * TARGET_STEP_MS)
const actual = fc.integer({ min: 1, max: ACTUAL_MAX_MS })

/** Spec section 8, each limit on either side and at it. */
const FEEDBACK: [distanceMs: number, closeness: Closeness, message: string][] = [
  [0, 'perfect', "PERFECT! You're a timing genius!"],
  [1, 'close', "SO close! You've got serious skills!"],
  [49, 'close', "SO close! You've got serious skills!"],
  [50, 'close', "SO close! You've got serious skills!"],
  [51, 'near', 'Nearly there! Just a tiny adjustment needed!'],
  [99, 'near', 'Nearly there! Just a tiny adjustment needed!'],
  [100, 'near', 'Nearly there! Just a tiny adjustment needed!'],
  [101, 'fair', 'Not bad! Keep practicing!'],
  [299, 'fair', 'Not bad! Keep practicing!'],
  [300, 'fair', 'Not bad! Keep practicing!'],
  [301, 'off', 'Whoops! That was a bit off!'],
  [499, 'off', 'Whoops! That was a bit off!'],
  [500, 'off', 'Whoops! That was a bit off!'],
  [501, 'far', 'Were you even trying?'],
  [999, 'far', 'Were you even trying?'],
  [1_000, 'far', 'Were you even trying?'],
  [1_001, 'wild', 'Wow... that was... something!'],
  [595_000, 'wild', 'Wow... that was... something!'],
]

describe.each(FEEDBACK)('%i ms away from the target', (distanceMs, closeness, message) => {
  test.each([
    ['late', 5_000, 5_000 + distanceMs],
    ['early', 5_000, 5_000 - distanceMs],
  ])(`is "${closeness}" when %s`, (_, targetMs, actualMs) => {
    const { feedback } = judge(targetMs, actualMs)
    expect(feedback.closeness).toBe(closeness)
    expect(feedback.message.slice(0, message.length)).toBe(message)
  })
})

test('every message ends with one emoji', () => {
  for (const [distanceMs] of FEEDBACK) {
    expect(judge(1_000, 1_000 + distanceMs).feedback.message).toMatch(/[.!?] \p{RGI_Emoji}$/v)
  }
})

test.each([
  [99, true],
  [100, true],
  [101, false],
])('%i ms away from the target wins: %s', (distanceMs, wins) => {
  fc.assert(
    fc.property(target, targetMs => {
      expect(judge(targetMs, targetMs + distanceMs).wins).toBe(wins)
      expect(judge(targetMs, targetMs - distanceMs).wins).toBe(wins)
    }),
  )
})

test('the difference is exact and signed, and early counts as much as late', () => {
  fc.assert(
    fc.property(target, actual, (targetMs, actualMs) => {
      const { differenceMs, wins, feedback } = judge(targetMs, actualMs)
      expect(targetMs + differenceMs).toBe(actualMs)
      expect(wins).toBe(Math.abs(differenceMs) <= WIN_TOLERANCE_MS)
      expect(judge(actualMs, targetMs)).toEqual({ differenceMs: 0 - differenceMs, wins, feedback })
    }),
  )
})

test('whoever is closer never gets the worse feedback', () => {
  fc.assert(
    fc.property(target, actual, actual, (targetMs, one, other) => {
      const [near, far] = [one, other].sort((a, b) => Math.abs(a - targetMs) - Math.abs(b - targetMs))
      expect(limitOf(targetMs, near ?? 0)).toBeLessThanOrEqual(limitOf(targetMs, far ?? 0))
    }),
  )
})

test('the targets are 1.00, 1.01 … 5.00 s', () => {
  expect(TARGET_COUNT).toBe(401)
  expect(TARGET_MIN_MS + (TARGET_COUNT - 1) * TARGET_STEP_MS).toBe(TARGET_MAX_MS)
  expect([TARGET_MIN_MS, TARGET_STEP_MS, TARGET_MAX_MS]).toEqual([1_000, 10, 5_000])
})

test('the numbers of the game are those of the specification', () => {
  expect(rules).toMatchObject({
    ACTUAL_MAX_MS: 600_000,
    WIN_TOLERANCE_MS: 100,
    TAPS_PER_ATTEMPT: 1,
    ROUND_LIFETIME_MS: 600_000,
    LEADERBOARD_SIZE: 10,
    RECENT_ATTEMPTS: 5,
    MY_ATTEMPTS: 30,
    RANK_LIMIT: 1_000,
    LIVE_WRITES_PER_SECOND: 10,
    TRACK_LOOP_MS: 5_000,
    CONFETTI_PARTICLES: 100,
    STOP_SLIP_MS: 250,
    START_SLIP_MS: 450,
    WIN_SHOWN_MS: 1_800,
    WIN_SEEN_MS: 900,
    CLAIM_SLIP_MS: 450,
    NAME_MAX_GRAPHEMES: 32,
    NAME_MAX_LENGTH: 200,
    PASSWORD_MIN_LENGTH: 8,
    PASSWORD_MAX_LENGTH: 256,
  })
  const feedback = rules.FEEDBACK.map(({ limitMs }) => limitMs)
  expect(feedback).toEqual([0, 50, 100, 300, 500, 1_000])
})

function limitOf(targetMs: number, actualMs: number): number {
  return judge(targetMs, actualMs).feedback.limitMs
}
