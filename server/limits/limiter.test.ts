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
    if (!(error instanceof Problem) || error.code !== 'too_many_requests') throw error
    return error.details.retryAfter ?? Number.NaN
  }
}

/** How many get through at once. */
function drain(limits: Limiter, name: LimitName, key: string): number {
  let taken = 0
  while (wait(() => limits.take(name, key)) === 0) taken += 1
  return taken
}

test.each(names)('of %s so many get through at once, and as many again as the time refills', name => {
  const { burst, perMinute } = LIMITS[name]
  const { limits, clock } = clocked()
  expect(drain(limits, name, 'a')).toBe(burst)

  const seconds = wait(() => limits.take(name, 'a'))
  expect(seconds, 'the wait that is named').toBe(Math.ceil(60 / perMinute))
  clock.ms += seconds * 1_000
  expect(
    wait(() => limits.take(name, 'a')),
    'is long enough',
  ).toBe(0)

  drain(limits, name, 'a')
  const some = Math.min(5, burst)
  clock.ms += (some * 60_000) / perMinute + 0.001
  expect(drain(limits, name, 'a')).toBe(some)
  clock.ms += 24 * 3_600_000
  expect(drain(limits, name, 'a')).toBe(burst)
})

describe('the networks of an address of IPv6', () => {
  const { burst } = LIMITS.hashes
  const ofSubnet = (subnet: number) => `2001:db8:0:${subnet.toString(16)}::/64`
  /** How many of so many tries get through, each from the /64 that `subnetOf` says. */
  const through = (limits: Limiter, tries: number, subnetOf: (n: number) => number) =>
    Array.from({ length: tries }, (_, n) => wait(() => limits.take('hashes', ofSubnet(subnetOf(n))))).filter(
      seconds => seconds === 0,
    ).length

  test('have the share of one address for a /64, of two for a /56, of four for a /48', () => {
    const { limits } = clocked()
    expect(through(limits, 6 * burst, () => 1)).toBe(burst)
    expect(through(limits, 6 * burst, n => n % 256)).toBe(burst)
    expect(through(limits, 6 * burst, n => 256 * (n % 256))).toBe(2 * burst)
    expect(drain(limits, 'hashes', '2001:db8:1:0::/64'), 'another customer').toBe(burst)
    expect(drain(limits, 'hashes', '192.0.2.1'), 'of IPv4').toBe(burst)
  })
})

test('of several limits all are taken or none', () => {
  const { limits } = clocked()
  drain(limits, 'rounds', 'player')
  for (let n = 0; n < 1_000; n += 1) {
    const seconds = wait(() =>
      limits.takeAll([
        ['rounds', 'player'],
        ['roundsOfAddress', 'a'],
      ]),
    )
    expect(seconds).toBe(1)
  }
  expect(drain(limits, 'roundsOfAddress', 'a')).toBe(LIMITS.roundsOfAddress.burst)
})

test('switched off, everything passes', () => {
  const { limits } = clocked(false)
  for (let n = 0; n < 10_000; n += 1) limits.take('misses', 'a')()
})

test('one key does not use up the share of another, nor one limit that of another', () => {
  const { limits } = clocked()
  drain(limits, 'hashes', 'a')
  expect(wait(() => limits.take('hashes', 'b'))).toBe(0)
  expect(wait(() => limits.take('signUps', 'a'))).toBe(0)
})

test('what was given back pushes no other key out', () => {
  const { limits } = clocked()
  drain(limits, 'wrongPasswords', 'used')
  for (let n = 0; n < 50_000; n += 1) limits.take('wrongPasswords', `address ${n}`)()
  expect(wait(() => limits.take('wrongPasswords', 'used'))).toBe(10)
})
