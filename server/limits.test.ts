import { describe, expect, test } from 'vitest'
import { addressKey, LIMITS, type LimitName, Limits } from './limits.ts'
import { Refusal } from './problem.ts'

const NAMES: LimitName[] = [
  'identities',
  'rounds',
  'roundsOfAddress',
  'logins',
  'wrongPasswords',
  'signUps',
  'claims',
  'reads',
  'streams',
  'misses',
]

function clocked(on = true) {
  const clock = { ms: 1_000_000 }
  return { clock, limits: new Limits(on, () => clock.ms) }
}

/** The Retry-After of a refusal, in s; 0 when it went through. */
function wait(act: () => void): number {
  try {
    act()
    return 0
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    if (!(error instanceof Refusal)) throw error
    expect(error.code).toBe('too_many_requests')
    return error.details.retryAfter ?? Number.NaN
  }
}

/** How many get through at once. */
function drain(limits: Limits, name: LimitName, key: string): number {
  let taken = 0
  while (wait(() => limits.take(name, key)) === 0) taken += 1
  return taken
}

describe.each(NAMES)('the limit %s', name => {
  const { burst, perMinute } = LIMITS[name]

  test(`lets a burst of ${burst} through and no more`, () => {
    expect(drain(clocked().limits, name, 'a')).toBe(burst)
  })

  test('lets exactly as many through again as the time has refilled', () => {
    const { limits, clock } = clocked()
    drain(limits, name, 'a')
    clock.ms += (5 * 60_000) / perMinute + 0.001
    expect(drain(limits, name, 'a')).toBe(5)
    clock.ms += 24 * 3_600_000
    expect(drain(limits, name, 'a')).toBe(burst)
  })

  test('names a wait after which it lets one through, and not much earlier', () => {
    const { limits, clock } = clocked()
    drain(limits, name, 'a')
    const seconds = wait(() => limits.take(name, 'a'))
    expect(seconds).toBe(Math.ceil(60 / perMinute))
    clock.ms += seconds * 1_000
    expect(wait(() => limits.take(name, 'a'))).toBe(0)
  })
})

test('one key does not use up the share of another, nor one limit that of another', () => {
  const { limits } = clocked()
  drain(limits, 'logins', 'a')
  expect(wait(() => limits.take('logins', 'b'))).toBe(0)
  expect(wait(() => limits.take('signUps', 'a'))).toBe(0)
})

test('a refused take takes nothing: the wait does not grow', () => {
  const { limits } = clocked()
  drain(limits, 'wrongPasswords', 'a')
  const waits = Array.from({ length: 100 }, () => wait(() => limits.take('wrongPasswords', 'a')))
  expect(new Set(waits)).toEqual(new Set([10]))
})

test('a check takes nothing, and refuses when a take would', () => {
  const { limits } = clocked()
  for (let n = 0; n < 1_000; n += 1) limits.check('wrongPasswords', 'a')
  expect(drain(limits, 'wrongPasswords', 'a')).toBe(10)
  expect(wait(() => limits.check('wrongPasswords', 'a'))).toBe(10)
})

test('switched off, everything passes', () => {
  const { limits } = clocked(false)
  for (let n = 0; n < 10_000; n += 1) limits.take('misses', 'a')
  limits.check('misses', 'a')
})

test('at most 20,000 keys are remembered, the longest unused are forgotten first', () => {
  const { limits } = clocked()
  const stale = 'unused for long'
  drain(limits, 'misses', stale)
  drain(limits, 'misses', 'used again')
  for (let n = 0; n < 19_998; n += 1) limits.take('misses', `address ${n}`)
  expect(wait(() => limits.check('misses', stale))).toBe(1)
  limits.take('misses', 'one more')
  expect(wait(() => limits.check('misses', stale))).toBe(0)
  expect(wait(() => limits.check('misses', 'used again'))).toBe(1)
})

describe('an address counts', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key)
  })

  test('as another one in another /64', () => {
    expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'))
  })
})
