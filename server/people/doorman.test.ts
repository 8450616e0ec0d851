import { describe, expect, test } from 'vitest'
import { Limiter } from '../limits/limiter.ts'
import { LIMITS } from '../limits/limits.ts'
import { Refusal } from '../problem.ts'
import { Doorman } from './doorman.ts'

const NAME = 'Attacked'

function clocked() {
  const clock = { ms: 1_000_000 }
  return { clock, doorman: new Doorman(new Limiter(true, () => clock.ms)) }
}

/** What became of one try: let in, a wrong password, or how many seconds to wait. */
async function attempt(doorman: Doorman, address: string, right: boolean, name = NAME) {
  try {
    return await doorman.admit(address, name, async () => {
      if (right) return 'in'
      throw new Refusal('invalid_password')
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.details.retryAfter ?? 'wrong'
  }
}

/** How many wrong passwords one address can try at once. */
async function guesses(doorman: Doorman, address: string): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (typeof (await attempt(doorman, address, false)) === 'number') return count
  }
}

/** Many addresses guess until the share of the name is used up. */
async function siege(doorman: Doorman): Promise<void> {
  const { burst } = LIMITS.wrongPasswordsOfName
  for (let n = 0; n < burst; n += 1) expect(await attempt(doorman, `botnet ${n}`, false)).toBe('wrong')
}

describe('from one address', () => {
  test('ten wrong passwords are tried, then one every ten seconds', async () => {
    const { doorman, clock } = clocked()
    expect(await guesses(doorman, 'a')).toBe(10)
    expect(await attempt(doorman, 'a', false)).toBe(10)
    clock.ms += 10_000
    expect(await guesses(doorman, 'a')).toBe(1)
  })

  test('no more of them are tried when they come all at once', async () => {
    const { doorman } = clocked()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => attempt(doorman, 'a', false)))
    expect(outcomes.filter(outcome => outcome === 'wrong')).toHaveLength(10)
  })

  test('right passwords do not count', async () => {
    const { doorman } = clocked()
    for (let n = 0; n < 100; n += 1) expect(await attempt(doorman, 'a', true)).toBe('in')
    expect(await guesses(doorman, 'a')).toBe(10)
  })

  test('neither do answers that say nothing of the password', async () => {
    const { doorman } = clocked()
    for (let n = 0; n < 100; n += 1) {
      await expect(
        doorman.admit('a', NAME, () => Promise.reject(new Refusal('unavailable'))),
      ).rejects.toThrow('short break')
    }
    expect(await guesses(doorman, 'a')).toBe(10)
  })

  test('other names can be tried, and the same one only in other letters cannot', async () => {
    const { doorman } = clocked()
    await guesses(doorman, 'a')
    expect(await attempt(doorman, 'a', true, 'Neighbour')).toBe('in')
    expect(await attempt(doorman, 'a', true, ' ATTACKED ')).toBe(10)
  })
})

describe('a name that many addresses guess at', () => {
  test('can be tried twice from each further address, then once in ten minutes', async () => {
    const { doorman, clock } = clocked()
    await siege(doorman)
    expect(await guesses(doorman, 'a')).toBe(2)
    expect(await attempt(doorman, 'a', false)).toBe(600)
    clock.ms += 600_000
    await siege(doorman)
    expect(await guesses(doorman, 'a')).toBe(1)
  })

  test('lets its owner in from anywhere, at the first try and after a slip of the finger', async () => {
    const { doorman } = clocked()
    await siege(doorman)
    expect(await attempt(doorman, 'home', true)).toBe('in')
    expect(await attempt(doorman, 'phone', false)).toBe('wrong')
    expect(await attempt(doorman, 'phone', true)).toBe('in')
    for (let n = 0; n < 10; n += 1) expect(await attempt(doorman, 'phone', true)).toBe('in')
  })

  test('is a matter of that name alone', async () => {
    const { doorman } = clocked()
    await siege(doorman)
    for (let n = 0; n < 10; n += 1) {
      expect(await attempt(doorman, 'a', false, 'Neighbour')).toBe('wrong')
    }
  })

  test('is as before a quarter of an hour after the guesses have ended', async () => {
    const { doorman, clock } = clocked()
    await siege(doorman)
    clock.ms += 15 * 60_000
    expect(await guesses(doorman, 'a')).toBe(10)
  })
})
