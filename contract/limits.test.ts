import { describe, expect, test } from 'vitest'
import { CONCURRENCY, HASH_QUEUE, LIMITS } from './limits.ts'

/** A class behind one address. */
const PEOPLE = 40
/** The mean target is 3 s, and Start does nothing for 0.45 s after Stop. */
const ROUNDS_PER_MINUTE = 60 / 3.45

const PLAYERS = [
  ['rounds', 2 * ROUNDS_PER_MINUTE],
  // Every six seconds the page is shown, and reads the session, the own attempts and the stream.
  ['reads', 3 * 10],
  ['claims', ROUNDS_PER_MINUTE / 2],
] as const

describe.each(PLAYERS)('%s: 40 people behind one address', (name, perMinute) => {
  const own = LIMITS[name]
  const ofAddress = LIMITS[`${name}OfAddress`]

  test('do without a pause what they do', () => {
    expect(own.perMinute).toBeGreaterThanOrEqual(perMinute)
    expect(ofAddress.perMinute).toBeGreaterThanOrEqual(PEOPLE * perMinute)
  })

  test('do it beside one of them who does as much as one may', () => {
    const others = (PEOPLE - 1) * perMinute
    expect(ofAddress.perMinute).toBeGreaterThanOrEqual(Math.floor(others + own.perMinute))
    expect(ofAddress.burst).toBeGreaterThanOrEqual((PEOPLE - 1) * 2 + own.burst)
  })

  test('are about as many as the address is meant for, so that a farm gains little by more', () => {
    expect(ofAddress.perMinute).toBeLessThan(1.25 * ((PEOPLE - 1) * perMinute + own.perMinute))
  })
})

test('a class behind one address can load the page, become guests, watch and sign up, all at once', () => {
  expect(LIMITS.requests.burst).toBeGreaterThanOrEqual(20 * PEOPLE)
  expect(LIMITS.identities.burst).toBeGreaterThanOrEqual(PEOPLE)
  expect(LIMITS.strangers.burst).toBeGreaterThanOrEqual(PEOPLE)
  expect(LIMITS.signUps.burst).toBeGreaterThanOrEqual(PEOPLE)
  expect(LIMITS.hashes.burst).toBeGreaterThanOrEqual(PEOPLE)
  expect(HASH_QUEUE.ofAddressAlone).toBeGreaterThanOrEqual(PEOPLE)
})

test('they can watch in four windows each, and have connections left to play', () => {
  expect(CONCURRENCY.streams.ofAddress).toBe(4 * PEOPLE)
  expect(CONCURRENCY.connections.ofAddress).toBe(8 * PEOPLE)
})

test('a player can play as fast as the slips of a hand allow: two calls in 0.7 s', () => {
  expect(LIMITS.rounds.perMinute).toBeGreaterThanOrEqual((2 * 60) / 0.7)
})

test('one address leaves room for others in the queue of hashes', () => {
  expect(HASH_QUEUE.ofAddressAlone).toBeLessThanOrEqual(HASH_QUEUE.ofAll / 3)
  expect(HASH_QUEUE.ofAddress).toBeLessThanOrEqual(HASH_QUEUE.ofAll / 10)
})

test.each(Object.entries(CONCURRENCY))(
  '%s: one address leaves room for others',
  (_, { ofAddress, ofAll }) => {
    expect(ofAddress).toBeLessThanOrEqual(ofAll / 10)
  },
)
