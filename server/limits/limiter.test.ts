import { describe, expect, test } from 'vitest'
import { LIMITS, type Limit, type LimitName } from '../../contract/limits.ts'
import { Problem } from '../problem.ts'
import { Limiter } from './limiter.ts'

const names = Object.keys(LIMITS) as LimitName[]
const shared = names.filter(name => 'ofAll' in LIMITS[name])

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

/** Another key each time. */
function newKeys() {
  let count = 0
  return () => `key ${count++}`
}

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

describe.each(shared)('the limit %s of all', name => {
  const { ofAll = { burst: 0, perMinute: 0 } }: Limit = LIMITS[name]

  test(`lets a burst of ${ofAll.burst} through, of whatever keys, and refills`, () => {
    const { limits, clock } = clocked()
    const newKey = newKeys()
    expect(drain(limits, name, newKey)).toBe(ofAll.burst)
    const seconds = wait(() => limits.take(name, 'one more'))
    expect(seconds).toBe(Math.ceil(60 / ofAll.perMinute))
    clock.ms += seconds * 1_000
    expect(wait(() => limits.take(name, 'one more'))).toBe(0)
  })
})

test('one key does not use up the share of another, nor one limit that of another', () => {
  const { limits } = clocked()
  drain(limits, 'logins', always('a'))
  expect(wait(() => limits.take('logins', 'b'))).toBe(0)
  expect(wait(() => limits.take('signUps', 'a'))).toBe(0)
})

test('a refused take takes nothing: the wait does not grow, and all the others keep their share', () => {
  const { limits } = clocked()
  drain(limits, 'logins', always('a'))
  const waits = Array.from({ length: 10_000 }, () => wait(() => limits.take('logins', 'a')))
  expect(new Set(waits)).toEqual(new Set([1]))
  expect(drain(limits, 'logins', newKeys())).toBe(LIMITS.logins.ofAll.burst - LIMITS.logins.burst)
})

test('what is given back can be used again, by its key and by all', () => {
  const { limits } = clocked()
  for (let n = 0; n < 1_000; n += 1) limits.take('logins', 'a')()
  expect(drain(limits, 'logins', always('a'))).toBe(LIMITS.logins.burst)
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
