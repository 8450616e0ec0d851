import { describe, expect, test } from 'vitest'
import { LIMITS, type LimitName } from '../../contract/limits.ts'
import { Problem } from '../problem.ts'
import { Limiter } from './limiter.ts'

const names = Object.keys(LIMITS) as LimitName[]

function clocked(on = true) {
  const clock = { ms: 1_000_000 }
  return { clock, limits: new Limiter(on, () => clock.ms) }
}

/** The Retry-After of a refusal, in s; 0 when it went through. */
function wait(act: () => unknown): number {
  try {
    act()
    return 0
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    if (!(error instanceof Problem)) throw error
    expect(error.code).toBe('too_many_requests')
    return error.details.retryAfter ?? Number.NaN
  }
}

/** How many get through at once. */
function drain(limits: Limiter, name: LimitName, key: () => string): number {
  let taken = 0
  while (wait(() => limits.take(name, key())) === 0) taken += 1
  return taken
}

const always = (key: string) => () => key

describe.each(names)('the limit %s', name => {
  const { burst, perMinute } = LIMITS[name]

  test(`lets a burst of ${burst} through and no more`, () => {
    expect(drain(clocked().limits, name, always('a'))).toBe(burst)
  })

  test('lets exactly as many through again as the time has refilled', () => {
    const { limits, clock } = clocked()
    const some = Math.min(5, burst)
    drain(limits, name, always('a'))
    clock.ms += (some * 60_000) / perMinute + 0.001
    expect(drain(limits, name, always('a'))).toBe(some)
    clock.ms += 24 * 3_600_000
    expect(drain(limits, name, always('a'))).toBe(burst)
  })

  test('names a wait after which it lets one through, and not much earlier', () => {
    const { limits, clock } = clocked()
    drain(limits, name, always('a'))
    const seconds = wait(() => limits.take(name, 'a'))
    expect(seconds).toBe(Math.ceil(60 / perMinute))
    clock.ms += seconds * 1_000
    expect(wait(() => limits.take(name, 'a'))).toBe(0)
  })
})

describe('the networks of an address of IPv6', () => {
  const { burst } = LIMITS.hashes
  /** Another /64 each time, counted from the least significant digit on. */
  const subnets = (of: number) => {
    let count = 0
    return () => `2001:db8:0:${(count++ % of).toString(16)}::/64`
  }

  test.each([
    ['a /64 has the share of an address', 1, 1],
    ['a /56, 256 of them, that of two', 256, 2],
    ['a /48, 65,536 of them, that of four', 65_536, 4],
  ])('%s', (_, of, times) => {
    const { limits } = clocked()
    const next = subnets(of)
    let taken = 0
    for (let n = 0; n < 6 * burst; n += 1) if (wait(() => limits.take('hashes', next())) === 0) taken += 1
    if (of === 65_536) {
      // The first /56 is at its end by then; the others of the /48 have something left.
      for (let n = 0; n < 6 * burst; n += 1) {
        const subnet = ((n % 256) * 256).toString(16)
        if (wait(() => limits.take('hashes', `2001:db8:0:${subnet}::/64`)) === 0) taken += 1
      }
    }
    expect(taken).toBe(times * burst)
  })

  test('use up nothing of other networks', () => {
    const { limits } = clocked()
    const next = subnets(65_536)
    for (let n = 0; n < 20 * burst; n += 1) wait(() => limits.take('hashes', next()))
    expect(drain(limits, 'hashes', always('2001:db8:1:0::/64'))).toBe(burst)
    expect(drain(limits, 'hashes', always('192.0.2.1'))).toBe(burst)
  })

  test('have as many tries of one name', () => {
    const { limits } = clocked()
    const tries = drain(limits, 'wrongPasswords', () => '2001:db8:0:1::/64 name')
    let more = 0
    for (let n = 0; n < 1_000; n += 1) {
      const subnet = (n * 64).toString(16)
      if (wait(() => limits.take('wrongPasswords', `2001:db8:0:${subnet}::/64 name`)) === 0) more += 1
    }
    expect(tries).toBe(LIMITS.wrongPasswords.burst)
    expect(tries + more).toBe(4 * LIMITS.wrongPasswords.burst)
    expect(wait(() => limits.take('wrongPasswords', '2001:db8:0:1::/64 another'))).toBe(0)
  })
})

test('of several limits all are taken or none', () => {
  const { limits } = clocked()
  drain(limits, 'rounds', always('player'))
  for (let n = 0; n < 1_000; n += 1) {
    expect(
      wait(() =>
        limits.takeAll([
          ['rounds', 'player'],
          ['roundsOfAddress', 'a'],
        ]),
      ),
    ).toBe(1)
  }
  expect(drain(limits, 'roundsOfAddress', always('a'))).toBe(LIMITS.roundsOfAddress.burst)
})

test('one key does not use up the share of another, nor one limit that of another', () => {
  const { limits } = clocked()
  drain(limits, 'hashes', always('a'))
  expect(wait(() => limits.take('hashes', 'b'))).toBe(0)
  expect(wait(() => limits.take('signUps', 'a'))).toBe(0)
})

test('a refused take takes nothing: the wait does not grow', () => {
  const { limits } = clocked()
  drain(limits, 'hashes', always('a'))
  const waits = Array.from({ length: 10_000 }, () => wait(() => limits.take('hashes', 'a')))
  expect(new Set(waits)).toEqual(new Set([1]))
})

test('what is given back can be used again', () => {
  const { limits } = clocked()
  for (let n = 0; n < 1_000; n += 1) limits.take('hashes', 'a')()
  expect(drain(limits, 'hashes', always('a'))).toBe(LIMITS.hashes.burst)
})

test('switched off, everything passes', () => {
  const { limits } = clocked(false)
  for (let n = 0; n < 10_000; n += 1) limits.take('misses', 'a')()
})

test('twenty thousand other keys later a key is forgotten, unless it was used meanwhile', () => {
  const { limits } = clocked()
  drain(limits, 'wrongPasswords', always('unused'))
  for (let n = 0; n < 9_000; n += 1) limits.take('wrongPasswords', `address ${n}`)
  expect(wait(() => limits.take('wrongPasswords', 'unused'))).toBe(10)
  for (let n = 0; n < 20_000; n += 1) limits.take('wrongPasswords', `another ${n}`)
  expect(wait(() => limits.take('wrongPasswords', 'unused'))).toBe(0)
})

test('what was given back pushes no other key out', () => {
  const { limits } = clocked()
  drain(limits, 'wrongPasswords', always('used'))
  for (let n = 0; n < 50_000; n += 1) limits.take('wrongPasswords', `address ${n}`)()
  expect(wait(() => limits.take('wrongPasswords', 'used'))).toBe(10)
})
