import { describe, expect, test } from 'vitest'
import { Random } from '../../tests/support/random.ts'
import { deviationMs, isTooSteady, STEADINESS_LIMIT_MS, STEADINESS_WINDOW } from './steadiness.ts'

/** How one player's attempts come out: the difference of the nth one, counted from 0, in ms. */
type Hand = (n: number) => number
/** Makes one player after another, each with traits of their own. */
type Crowd = (draw: Random) => Hand

const ATTEMPTS = 1_000
const SEED = 20_261_121

/**
 * The attempt after which a player is flagged, when each one is followed by a look; null when none is. The exact
 * running sums of whole ms only save the looks that cannot find anything.
 */
function flaggedAfter(hand: Hand): number | null {
  const size = STEADINESS_WINDOW
  const near = (STEADINESS_LIMIT_MS + 1) ** 2 * (size - 1)
  const window = new Int32Array(size)
  let sum = 0
  let squares = 0
  for (let n = 0; n < ATTEMPTS; n += 1) {
    const place = n % size
    const leaving = window[place] ?? 0
    const difference = Math.round(hand(n))
    window[place] = difference
    sum += difference - leaving
    squares += difference * difference - leaving * leaving
    // The deviation does not depend on the order within the window.
    if (n >= size - 1 && squares - (sum * sum) / size < near && isTooSteady(Array.from(window))) return n + 1
  }
  return null
}

function countFlagged(players: number, crowd: Crowd): number {
  const draw = new Random(SEED)
  let flagged = 0
  for (let player = 0; player < players; player += 1) if (flaggedAfter(crowd(draw)) !== null) flagged += 1
  return flagged
}

/** People who are not the same all the time, or not all the same. */
const PEOPLE: readonly [Crowd, ...Crowd[]] = [
  ofAllKinds,
  // Learns: late by 80 ms at first.
  draw => n => draw.normal(80 * Math.exp(-n / 100), 15),
  // Tires: spreads by 40 ms in the end.
  draw => n => draw.normal(0, 15 + (25 * n) / ATTEMPTS),
  // Drifts early and late.
  draw => n => draw.normal(20 * Math.sin(n / 60), 15),
  // Looks away now and then.
  draw => () => draw.normal(0, draw.next() < 0.05 ? 90 : 15),
  // Has a mouse that is sampled every 8 ms.
  draw => () => Math.round(draw.normal(0, 15) / 8) * 8,
]

function ofAllKinds(draw: Random): Hand {
  const bias = draw.normal(0, 40)
  const deviation = 15 + 65 * draw.next()
  return () => draw.normal(bias, deviation)
}

// About 3 s of a core; a busy machine may take long.
describe('over 1,000 attempts at most 1 person in 10,000 is flagged', { timeout: 120_000 }, () => {
  test('of 40,000 as steady as there can be: 15 ms around the same mean, all the time', () => {
    const steadiest: Crowd = draw => () => draw.normal(0, 15)
    expect(countFlagged(40_000, steadiest), `seed ${SEED}`).toBeLessThanOrEqual(4)
  })

  test('of 20,000 who learn, tire, drift, look away, or spread by up to 80 ms', () => {
    const anybody: Crowd = draw => draw.pick(PEOPLE)(draw)
    expect(countFlagged(20_000, anybody), `seed ${SEED}`).toBeLessThanOrEqual(2)
  })
})

describe('a script is flagged by its 40th attempt', () => {
  test.each<[string, Crowd]>([
    ['that is exact', () => () => 0],
    ['that is always 60 ms late', () => () => 60],
    ['of 0 to 5 ms around a mean of its own', ofScripts],
    ['that a timer makes late by 0 to 16 ms', draw => () => 16 * draw.next()],
    ['that drifts by a millisecond every five attempts', draw => n => draw.normal(n / 5, 2)],
  ])('%s', (_, crowd) => {
    const draw = new Random(SEED)
    for (let script = 0; script < 2_000; script += 1) {
      expect(flaggedAfter(crowd(draw)), `seed ${SEED}, script ${script}`).toBe(STEADINESS_WINDOW)
    }
  })

  test('also when a person played before it: by its own 40th', () => {
    const draw = new Random(SEED)
    const relay: Hand = n => (n < 100 ? draw.normal(30, 40) : draw.normal(-10, 3))
    expect(flaggedAfter(relay)).toBeLessThanOrEqual(140)
  })
})

function ofScripts(draw: Random): Hand {
  const bias = draw.normal(0, 50)
  const deviation = 5 * draw.next()
  return () => draw.normal(bias, deviation)
}

test('fewer attempts than a window say nothing, however steady', () => {
  expect(isTooSteady([])).toBe(false)
  expect(isTooSteady(Array(STEADINESS_WINDOW - 1).fill(0))).toBe(false)
  expect(isTooSteady(Array(STEADINESS_WINDOW).fill(0))).toBe(true)
})

test('only the last window counts', () => {
  const wild = [500, -300, 80]
  const steady = Array<number>(STEADINESS_WINDOW).fill(12)
  expect(isTooSteady([...wild, ...steady])).toBe(true)
  expect(isTooSteady([...steady, ...wild])).toBe(false)
})

test('a spread of just under 7 ms is too steady, 7 ms is not', () => {
  // Half at −x, half at +x: a sample of 40 has the deviation x·√(40/39).
  const spread = (deviation: number) =>
    Array.from({ length: STEADINESS_WINDOW }, (_, n) => (n % 2 ? 1 : -1) * deviation * Math.sqrt(39 / 40))
  expect(deviationMs(spread(7))).toBeCloseTo(7, 9)
  expect(isTooSteady(spread(6.999))).toBe(true)
  expect(isTooSteady(spread(7.001))).toBe(false)
})

test('the deviation is that of a sample, and of none there is none', () => {
  expect(deviationMs([])).toBe(0)
  expect(deviationMs([5])).toBe(0)
  expect(deviationMs([3, 5])).toBeCloseTo(Math.SQRT2, 12)
  expect(deviationMs([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12)
})
