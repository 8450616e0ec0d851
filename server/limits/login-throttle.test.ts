import { describe, expect, test } from 'vitest'
import { Problem } from '../problem.ts'
import { Limiter } from './limiter.ts'
import { throttleLogin } from './login-throttle.ts'

function createLimiter() {
  const clock = { ms: 1_000_000 }
  return { clock, limits: new Limiter(undefined, () => clock.ms) }
}

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

test.each(['invalid_password', 'username_taken'] as const)(
  'charges a guess that is answered with %s',
  async code => {
    const { limits } = createLimiter()
    const guess = () =>
      throttleLogin(limits, 'a', 'Attacked', () => Promise.reject(new Problem(code))).catch(
        error => error.code,
      )
    const answers: unknown[] = []
    for (let n = 0; n < 11; n += 1) answers.push(await guess())
    expect(answers).toEqual([...Array(10).fill(code), 'too_many_requests'])
  },
)

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
    for (const error of [new Problem('unavailable'), new Error('the connection was lost')]) {
      const failed = throttleLogin(limits, 'a', 'Attacked', () => Promise.reject(error))
      await expect(failed).rejects.toBe(error)
    }
    expect(await tryPassword(limits, false)).toBe('wrong')
    expect(await tryPassword(limits, false)).toBe(10)
  })
})

test('a name that many addresses attack has two more tries at each address, so that its owner can log in', async () => {
  const { limits, clock } = createLimiter()
  for (let n = 0; n < 30; n += 1) {
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
