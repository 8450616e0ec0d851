import { describe, expect, test } from 'vitest'
import { LIMITS, type LimitName } from '../../contract/limits.ts'
import { Problem } from '../problem.ts'
import { Limiter, NO_LIMITS, throttleLogin } from './limiter.ts'

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

/** Tries one password. Returns 'in', 'wrong', or the seconds to wait. */
async function tryPassword(limits: Limiter, right: boolean, name = 'Attacked', address = 'a') {
  try {
    return await throttleLogin(limits, address, name, async () => {
      if (right) return 'in'
      throw new Problem('invalid_password')
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.details.retryAfter ?? 'wrong'
  }
}

describe('a name at one address', () => {
  test('has ten wrong passwords, even simultaneously, in any spelling of the name', async () => {
    const { limits } = createLimiter()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => tryPassword(limits, false)))
    expect(outcomes.filter(outcome => outcome === 'wrong')).toHaveLength(10)
    // Names treat the letter ʼ as an apostrophe.
    for (const name of ['Attacked', ' ATTACKED ', 'Aʼttacked'])
      expect(await tryPassword(limits, true, name)).toBe(10)
    expect(await tryPassword(limits, true, 'Neighbour')).toBe('in')
    expect(await tryPassword(limits, true, 'Attacked', 'another address')).toBe('in')
  })

  test('is charged for wrong passwords only, and displaces no other name meanwhile', async () => {
    const { limits } = createLimiter()
    for (let n = 0; n < 9; n += 1) expect(await tryPassword(limits, false)).toBe('wrong')
    for (let n = 0; n < 200_000; n += 1) {
      limits.take('wrongPasswords', `name ${n}`)
      limits.refund('wrongPasswords', `name ${n}`)
    }
    for (let n = 0; n < 100; n += 1) expect(await tryPassword(limits, true)).toBe('in')
    const away = () => Promise.reject(new Problem('unavailable'))
    await expect(throttleLogin(limits, 'a', 'Attacked', away)).rejects.toThrow('short break')
    expect(await tryPassword(limits, false)).toBe('wrong')
    expect(await tryPassword(limits, false)).toBe(10)
  })
})

test('a name that many addresses attack has two more tries at each address, so that its owner can log in', async () => {
  const { limits, clock } = createLimiter()
  for (let n = 0; n < LIMITS.wrongPasswordsOfName.burst; n += 1) {
    expect(await tryPassword(limits, false, 'Attacked', `botnet ${n}`)).toBe('wrong')
  }
  expect(await tryPassword(limits, false)).toBe('wrong')
  for (let n = 0; n < 20; n += 1) expect(await tryPassword(limits, true)).toBe('in')
  expect(await tryPassword(limits, false)).toBe('wrong')
  // The refused guess uses up neither limit of the address.
  expect(await tryPassword(limits, true)).toBe(600)
  for (let n = 0; n < 8; n += 1) expect(limits.tryTake('wrongPasswords', 'a attacked')).toBe(0)
  expect(await tryPassword(limits, false, 'Neighbour')).toBe('wrong')
  clock.ms += 600_000
  expect(await tryPassword(limits, true)).toBe('in')
})
