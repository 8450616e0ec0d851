import { describe, expect, test } from 'vitest'
import { describeDifference } from './difference.ts'
import { describeTiming, isBestYet, recordOf, timingOf } from './timing.ts'

/** Numbers in [0, 1) that are the same in every run. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Normally distributed differences in ms (Box and Muller). */
function differences(count: number, biasMs: number, spreadMs: number, random: () => number): number[] {
  return Array.from({ length: count }, () => {
    const radius = Math.sqrt(-2 * Math.log(random()))
    return Math.round(biasMs + spreadMs * radius * Math.cos(2 * Math.PI * random()))
  })
}

test.each([
  [0, 30],
  [21, 158],
  [-140, 60],
  [400, 250],
])('a bias of %i ms and a spread of %i ms are recovered from many attempts', (biasMs, spreadMs) => {
  const timing = timingOf(differences(20_000, biasMs, spreadMs, generator(20_261_120)))
  expect(Math.abs(timing.biasMs - biasMs)).toBeLessThan(spreadMs / 20)
  expect(Math.abs((timing.spreadMs ?? 0) - spreadMs)).toBeLessThan(spreadMs / 20)
})

test('thirty attempts are enough to be about right, on average over many players', () => {
  const random = generator(7)
  const players = Array.from({ length: 400 }, () => timingOf(differences(30, 21, 158, random)))
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  expect(Math.abs(mean(players.map(({ biasMs }) => biasMs)) - 21)).toBeLessThan(8)
  expect(Math.abs(mean(players.map(({ spreadMs }) => spreadMs ?? 0)) - 158)).toBeLessThan(16)
})

test('one round forgotten for a minute changes little', () => {
  const usual = differences(29, 21, 158, generator(99))
  const before = timingOf(usual)
  const after = timingOf([...usual, 60_000])
  expect(Math.abs(after.biasMs - before.biasMs)).toBeLessThan(60)
  expect(Math.abs((after.spreadMs ?? 0) - (before.spreadMs ?? 0))).toBeLessThan(60)
})

test('no attempt has no timing, one attempt has no spread', () => {
  expect(timingOf([])).toEqual({ count: 0, biasMs: 0, spreadMs: null })
  expect(timingOf([38])).toEqual({ count: 1, biasMs: 38, spreadMs: null })
})

test('the sentence says late or early, and how widely', () => {
  const timing = { count: 30, biasMs: 21, spreadMs: 158 }
  expect(describeTiming(timing)).toEqual({ bias: '21 ms late', spread: 'give or take 158 ms' })
  expect(describeTiming({ count: 1, biasMs: -3, spreadMs: null })).toEqual({
    bias: '3 ms early',
    spread: null,
  })
})

test.each([
  [0, 'right on time'],
  [999, '999 ms late'],
  [-1_240, '1.24 s early'],
  [1_005, '1.01 s late'],
])('a difference of %i ms is "%s"', (ms, words) => {
  expect(describeDifference(ms)).toBe(words)
})

describe('the record of a player', () => {
  const attempt = (ms: number, verified = true) => ({ difference: ms / 1_000, verified })

  test('is the closest attempt, the hits in a row and their share', () => {
    const attempts = [attempt(-40), attempt(300), attempt(12), attempt(-100)]
    expect(recordOf(attempts)).toEqual({ bestMs: 12, streak: 2, hitShare: 0.75 })
  })

  test('has no streak after a miss', () => {
    expect(recordOf([attempt(10), attempt(101)])).toMatchObject({ streak: 0 })
  })

  test('is not broken by an attempt that was not verified, which does not count either', () => {
    const attempts = [attempt(40), attempt(700, false), attempt(1, false), attempt(-20)]
    expect(recordOf(attempts)).toEqual({ bestMs: 20, streak: 2, hitShare: 1 })
  })
})

test.each([
  { others: [300, -40], ms: 39, isBest: true },
  { others: [300, -40], ms: -40, isBest: false },
  { others: [], ms: 3, isBest: false },
])('$ms ms after $others is the best yet: $isBest', ({ others, ms, isBest }) => {
  const attempts = [ms, ...others].map(ms => ({ difference: ms / 1_000, verified: true }))
  expect(isBestYet(attempts, ms)).toBe(isBest)
  expect(isBestYet(attempts, ms + 1), 'of a result that is not recorded yet').toBe(false)
})

test('what was not verified is nothing that a best has to be closer than', () => {
  const attempts = [
    { difference: 0.008, verified: true },
    { difference: 0.005, verified: false },
    { difference: 0.3, verified: true },
  ]
  expect(isBestYet(attempts, 8)).toBe(true)
})
