import { describe, expect, test } from 'vitest'
import { LIMITS, type LimitName } from '../../contract/limits.ts'
import { Problem } from '../problem.ts'
import { Limiter, NO_LIMITS } from './limiter.ts'

const names = Object.keys(LIMITS) as LimitName[]

function createLimiter(rateOf?: typeof NO_LIMITS) {
  const clock = { ms: 1_000_000 }
  return { clock, limits: new Limiter(rateOf, () => clock.ms) }
}

/** Returns the Retry-After of a refusal in seconds, or 0 when `act` was allowed. */
function retryAfter(act: () => unknown): number {
  try {
    act()
    return 0
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'too_many_requests') throw error
    return error.details.retryAfter ?? Number.NaN
  }
}

/** Uses the limit until it refuses, and returns how many uses it allowed. */
function drain(limits: Limiter, name: LimitName, key: string): number {
  let taken = 0
  while (retryAfter(() => limits.take([name, key])) === 0) taken += 1
  return taken
}

test.each(names)('allows %s up to the burst, then at the rate per minute', name => {
  const { burst, perMinute } = LIMITS[name]
  const { limits, clock } = createLimiter()
  expect(drain(limits, name, 'a')).toBe(burst)

  const seconds = retryAfter(() => limits.take([name, 'a']))
  expect(seconds, 'Retry-After').toBe(Math.ceil(60 / perMinute))
  clock.ms += seconds * 1_000
  expect(
    retryAfter(() => limits.take([name, 'a'])),
    'the wait once Retry-After has passed',
  ).toBe(0)

  drain(limits, name, 'a')
  const some = Math.min(5, burst)
  clock.ms += (some * 60_000) / perMinute + 0.001
  expect(drain(limits, name, 'a')).toBe(some)
  clock.ms += 24 * 3_600_000
  expect(drain(limits, name, 'a')).toBe(burst)
})

describe('a call is charged', () => {
  test('to the player, whatever the address', () => {
    const { limits } = createLimiter()
    for (let n = 0; n < LIMITS.calls.burst; n += 1) limits.charge('calls', `address ${n}`, 'player')
    expect(retryAfter(() => limits.charge('calls', 'one more', 'player'))).toBe(1)
    expect(retryAfter(() => limits.charge('calls', 'one more', 'neighbour'))).toBe(0)
  })

  test.each(['logins', 'signUps'] as const)(
    'to the limit %s of the address, whichever player sends it',
    limit => {
      const { limits } = createLimiter()
      for (let n = 0; n < LIMITS[limit].burst; n += 1) limits.charge(limit, 'a', `player ${n}`)
      expect(retryAfter(() => limits.charge(limit, 'a', 'one more'))).toBeGreaterThan(0)
      expect(retryAfter(() => limits.charge(limit, 'b', 'one more'))).toBe(0)
    },
  )
})

test('allows everything when switched off', () => {
  const { limits } = createLimiter(NO_LIMITS)
  for (let n = 0; n < 10_000; n += 1) limits.take(['logins', 'a'])
})

test('counts each key and each limit separately', () => {
  const { limits } = createLimiter()
  drain(limits, 'logins', 'a')
  expect(retryAfter(() => limits.take(['logins', 'b']))).toBe(0)
  expect(retryAfter(() => limits.take(['signUps', 'a']))).toBe(0)
})

test('allows a refunded use again, without displacing other keys', () => {
  const { limits } = createLimiter()
  drain(limits, 'wrongPasswords', 'used')
  for (let n = 0; n < 50_000; n += 1) {
    limits.take(['wrongPasswords', `address ${n}`])
    limits.refund(['wrongPasswords', `address ${n}`])
  }
  expect(retryAfter(() => limits.take(['wrongPasswords', 'used']))).toBe(10)
  limits.refund(['wrongPasswords', 'used'])
  expect(retryAfter(() => limits.take(['wrongPasswords', 'used']))).toBe(0)
})
