import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../problem.ts'
import { Limiter, throttleLogin } from './limiter.ts'

const NAME = 'Attacked'

function createLimiter() {
  const clock = { ms: 1_000_000 }
  return { clock, limits: new Limiter(undefined, () => clock.ms) }
}

/** Tries one password. Returns 'in', 'wrong', or the seconds to wait. */
async function tryPassword(limits: Limiter, address: string, right: boolean, name = NAME) {
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

/** Counts the wrong passwords that an address can try without waiting; `Infinity` means no limit. */
async function countGuesses(limits: Limiter, address: string): Promise<number> {
  for (let count = 0; count < 1_000; count += 1) {
    if (typeof (await tryPassword(limits, address, false)) === 'number') return count
  }
  return Number.POSITIVE_INFINITY
}

/** Guesses from many addresses until the limit of the name is used up. */
async function exhaustName(limits: Limiter): Promise<void> {
  const { burst } = LIMITS.wrongPasswordsOfName
  for (let n = 0; n < burst; n += 1) expect(await tryPassword(limits, `botnet ${n}`, false)).toBe('wrong')
}

describe('one address', () => {
  test('may try ten wrong passwords, then one every ten seconds', async () => {
    const { limits, clock } = createLimiter()
    expect(await countGuesses(limits, 'a')).toBe(10)
    expect(await tryPassword(limits, 'a', false)).toBe(10)
    clock.ms += 10_000
    expect(await countGuesses(limits, 'a')).toBe(1)
  })

  test('may try no more than ten wrong passwords simultaneously', async () => {
    const { limits } = createLimiter()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => tryPassword(limits, 'a', false)))
    expect(outcomes.filter(outcome => outcome === 'wrong')).toHaveLength(10)
  })

  test('is not charged for right passwords', async () => {
    const { limits } = createLimiter()
    for (let n = 0; n < 100; n += 1) expect(await tryPassword(limits, 'a', true)).toBe('in')
    expect(await countGuesses(limits, 'a')).toBe(10)
  })

  test('is not charged when no password was compared', async () => {
    const { limits } = createLimiter()
    for (let n = 0; n < 100; n += 1) {
      await expect(
        throttleLogin(limits, 'a', NAME, () => Promise.reject(new Problem('unavailable'))),
      ).rejects.toThrow('short break')
    }
    expect(await countGuesses(limits, 'a')).toBe(10)
  })

  test('may try another name, but not another spelling of the same name', async () => {
    const { limits } = createLimiter()
    await countGuesses(limits, 'a')
    expect(await tryPassword(limits, 'a', true, 'Neighbour')).toBe('in')
    expect(await tryPassword(limits, 'a', true, ' ATTACKED ')).toBe(10)
    // Names treat the letters ʼ and ʻ as apostrophes.
    expect(await tryPassword(limits, 'a', true, 'Aʼttaʻcked')).toBe(10)
  })
})

describe('a name that many addresses attack', () => {
  test('allows each further address two tries, then one every ten minutes', async () => {
    const { limits, clock } = createLimiter()
    await exhaustName(limits)
    expect(await countGuesses(limits, 'a')).toBe(2)
    expect(await tryPassword(limits, 'a', false)).toBe(600)
    clock.ms += 600_000
    await exhaustName(limits)
    expect(await countGuesses(limits, 'a')).toBe(1)
  })

  test('lets its owner log in from any address, even after one wrong password', async () => {
    const { limits } = createLimiter()
    await exhaustName(limits)
    expect(await tryPassword(limits, 'home', true)).toBe('in')
    expect(await tryPassword(limits, 'phone', false)).toBe('wrong')
    expect(await tryPassword(limits, 'phone', true)).toBe('in')
    for (let n = 0; n < 10; n += 1) expect(await tryPassword(limits, 'phone', true)).toBe('in')
  })

  test('does not limit other names', async () => {
    const { limits } = createLimiter()
    await exhaustName(limits)
    for (let n = 0; n < 10; n += 1) {
      expect(await tryPassword(limits, 'a', false, 'Neighbour')).toBe('wrong')
    }
  })
})
