import { expect, test } from 'vitest'
import { LIMITS, type LimitName } from '../../contract/limits.ts'
import { Limiter, NO_LIMITS } from './limiter.ts'

const names = Object.keys(LIMITS) as LimitName[]

function createLimiter(rateOf?: typeof NO_LIMITS) {
  const clock = { ms: 1_000_000 }
  return { clock, limits: new Limiter(rateOf, () => clock.ms) }
}

/** Uses the limit until it refuses, and returns how many uses it allowed. */
function drain(limits: Limiter, name: LimitName, key: string): number {
  let taken = 0
  while (limits.tryTake(name, key) === 0) taken += 1
  return taken
}

test.each(names)('allows %s up to the burst, then at the rate per minute', name => {
  const { burst, perMinute } = LIMITS[name]
  const { limits, clock } = createLimiter()
  expect(drain(limits, name, 'a')).toBe(burst)

  const seconds = limits.tryTake(name, 'a')
  expect(seconds, 'Retry-After').toBe(Math.ceil(60 / perMinute))
  clock.ms += seconds * 1_000
  expect(limits.tryTake(name, 'a'), 'the wait once Retry-After has passed').toBe(0)

  drain(limits, name, 'a')
  const some = Math.min(5, burst)
  clock.ms += (some * 60_000) / perMinute + 0.001
  expect(drain(limits, name, 'a')).toBe(some)
  clock.ms += 24 * 3_600_000
  expect(drain(limits, name, 'a')).toBe(burst)
})

test('lets each of 400 people at one address join, sign up and play', () => {
  const { requests, guests, signUps } = LIMITS
  for (const { burst } of [guests, signUps]) expect(burst).toBeGreaterThanOrEqual(400)
  expect(requests.burst / 400).toBeGreaterThanOrEqual(20)
  expect(requests.perMinute / 400).toBeGreaterThanOrEqual(60)
})

test('counts each key and each limit separately', () => {
  const { limits } = createLimiter()
  drain(limits, 'logins', 'a')
  expect(limits.tryTake('logins', 'b')).toBe(0)
  expect(limits.tryTake('guests', 'a')).toBe(0)
})

test('allows everything when switched off', () => {
  const { limits } = createLimiter(NO_LIMITS)
  for (let n = 0; n < 10_000; n += 1) limits.take('logins', 'a')
})
