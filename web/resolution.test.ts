import { beforeEach, describe, expect, test, vi } from 'vitest'
import { COARSE_STEP_MS, measureStep, stepOf } from './resolution.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** Times on a grid, as a clock that is read often shows them. */
const grid = (step: number, count: number) =>
  Array.from({ length: count }, (_, index) => 1_000 + index * step)

describe('the step is known', () => {
  test.each([
    ['after one change of a fine clock', [5, 5.1], 0.1],
    ['after one small change, whatever pauses there were', [5, 90, 300, 301], 1],
    ['when every change of many is large', grid(100, 21), 100],
    ['on the grid of a screen', grid(50 / 3, 21), 50 / 3],
    ['when changes were missed in between', [...grid(100, 21), 3_700, 9_000], 100],
  ])('%s', (_when, times, step) => {
    expect(stepOf(times)).toBeCloseTo(step)
  })
})

describe('the step is not known', () => {
  test.each([
    ['without times', []],
    ['from one time', [5]],
    ['from a clock that does not move', [5, 5, 5, 5]],
    ['from one that was set back', [5, 4]],
    ['from a few large changes, which may be pauses', grid(100, 20)],
  ])('%s', (_when, times) => {
    expect(stepOf(times)).toBeNull()
  })
})

/** A clock that shows multiples of a step, and moves on by so much whenever it is read. */
function clockOf(stepMs: number, readingMs: number, startMs: number): () => number {
  let reads = 0
  return () => {
    reads += 1
    return Math.floor((startMs + performance.now() + reads * readingMs) / stepMs) * stepMs
  }
}

function measure(read: () => number): number | null {
  let step: number | null = null
  measureStep(found => {
    step = found
  }, read)
  vi.runAllTimers()
  return step
}

/** Wherever a clock begins on its grid. */
const STARTS = [0, 3.3, 99.9]

test.each([50 / 3, 100])('a clock that is rounded to %d ms is found out, wherever it begins', stepMs => {
  for (const startMs of STARTS) {
    const step = measure(clockOf(stepMs, 0.000_2, startMs))
    expect(step).toBeCloseTo(stepMs)
    expect(step).toBeGreaterThanOrEqual(COARSE_STEP_MS)
  }
})

test.each([0.005, 0.02, 0.1, 0.5])('a clock of %d ms is fine enough, at the first look', stepMs => {
  for (const startMs of STARTS) {
    const found = vi.fn()
    measureStep(found, clockOf(stepMs, 0.000_5, startMs))
    expect(found.mock.calls[0]?.[0]).toBeLessThan(1)
  }
})

test('a clock of 1 ms is fine enough, even on a machine where every timer is late', () => {
  for (const startMs of STARTS) {
    let now = startMs
    const found = vi.fn()
    measureStep(found, () => {
      now += 0.000_2
      return Math.floor(now)
    })
    while (vi.getTimerCount() > 0) {
      now += 37.3
      vi.runOnlyPendingTimers()
    }
    expect(found).toHaveBeenCalledExactlyOnceWith(1)
  }
})

test('a clock that stands still is given up', () => {
  expect(measure(() => 5)).toBeNull()
})
