import { expect, test } from 'vitest'
import { CONCURRENCY, LIMITS, type Limit } from './limits.ts'

const limits = Object.entries<Limit>(LIMITS)

/** A school of this many behind one address. */
const PUPILS = 300

test.each(limits)('%s: what all may do is more than what one may', (_, { burst, perMinute, ofAll }) => {
  expect(burst).toBeGreaterThanOrEqual(1)
  if (!ofAll) return
  expect(ofAll.burst).toBeGreaterThan(burst)
  expect(ofAll.perMinute).toBeGreaterThan(perMinute)
})

test('a school behind one address can load the page and watch, all at once', () => {
  expect(LIMITS.requests.burst).toBeGreaterThanOrEqual(10 * PUPILS)
  expect(LIMITS.identities.burst).toBeGreaterThanOrEqual(PUPILS)
  expect(LIMITS.streams.burst).toBeGreaterThanOrEqual(PUPILS)
  expect(CONCURRENCY.streams.ofAddress).toBeGreaterThanOrEqual(PUPILS)
  expect(CONCURRENCY.connections.ofAddress).toBeGreaterThanOrEqual(6 * PUPILS)
})

test('a school behind one address can play, a round of two calls every three seconds each', () => {
  const calls = (PUPILS * 2 * 60) / 3
  expect(LIMITS.roundsOfAddress.perMinute).toBeGreaterThanOrEqual(calls)
  expect(LIMITS.requests.perMinute).toBeGreaterThanOrEqual(calls)
})

test('a player can play as fast as targets allow: two calls a second', () => {
  expect(LIMITS.rounds.perMinute).toBeGreaterThanOrEqual(2 * 60)
})

test.each(Object.entries(CONCURRENCY))(
  '%s: one address leaves room for others',
  (_, { ofAddress, ofAll }) => {
    expect(ofAddress).toBeLessThanOrEqual(ofAll / 10)
  },
)
