import { describe, expect, test } from 'vitest'
import { HASH_QUEUE, LIMITS } from '../../contract/limits.ts'
import { PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { Limiter } from '../limits/limiter.ts'
import { Problem } from '../problem.ts'
import { readList } from './lists.ts'
import { checkPassword, type HashClient, PasswordHasher } from './passwords.ts'

const COMMON = readList('common-passwords')

/** Compared with something else in 2 ms instead of 45. */
const CHEAP = '$2b$04$abcdefghijklmnopqrstuuM3NH6ZdXGmO2ZWmvxDjmy3cSuPfTOqi'

const ASKER: HashClient = { address: '192.0.2.5', account: 'somebody' }

function hasher(pepper = 1, limits = new Limiter(false)) {
  return new PasswordHasher(Buffer.alloc(32, pepper), limits, 4)
}

const passwords = hasher().for(ASKER)

test('the list of common passwords holds 3,000 that could be used otherwise', () => {
  expect(new Set(COMMON).size).toBe(3_000)
  expect(COMMON.filter(password => password.length < PASSWORD_MIN_LENGTH)).toEqual([])
  expect(COMMON.filter(password => password !== password.toLowerCase())).toEqual([])
})

test('a password matches its own hash and no other, and no hash without its pepper', async () => {
  const hash = await passwords.hash('correct horse')
  expect(await passwords.matches('correct horse', hash)).toBe(true)
  expect(await passwords.matches('correct horsf', hash)).toBe(false)
  expect(await hasher(2).for(ASKER).matches('correct horse', hash)).toBe(false)
})

test('the game hashes at a cost of 10, 45 ms of a core', async () => {
  const asked = new PasswordHasher(Buffer.alloc(32, 1), new Limiter(false)).for(ASKER)
  expect(await asked.hash('correct horse')).toMatch(/^\$2b\$10\$/)
})

describe('what bcrypt alone would cut off counts:', () => {
  test.each([
    ['the 73rd byte', 'x'.repeat(72), 'x'.repeat(73)],
    ['the 256th character', `${'x'.repeat(255)}a`, `${'x'.repeat(255)}b`],
    ['what follows a NUL', 'before\0after', 'before\0later'],
    ['the 73rd byte of letters of three', '計'.repeat(24), `${'計'.repeat(24)}時`],
  ])('%s', async (_, password, other) => {
    const hash = await passwords.hash(password)
    expect(await passwords.matches(password, hash)).toBe(true)
    expect(await passwords.matches(other, hash)).toBe(false)
  })
})

test('it does not matter how a keyboard composes a letter', async () => {
  const hash = await passwords.hash('Zo\u00eb and otter')
  expect(await passwords.matches('Zoe\u0308 and otter', hash)).toBe(true)
})

describe('a password', () => {
  test.each([
    ['of 7 characters', '1234567', 'at least 8 characters'],
    ['of 7 emoji', '🔑'.repeat(7), 'at least 8 characters'],
    ['of 257 characters', 'x'.repeat(257), 'at most 256 characters'],
    ['like the username', 'swift OTTER', 'must differ from the username'],
    ['that is guessed first', 'password', 'one of the most common'],
    ['that is guessed first, in capitals', 'QWERTYUIOP', 'one of the most common'],
    ['that is guessed first, in wide letters', 'ｉｌｏｖｅｙｏｕ', 'one of the most common'],
    ['that is the last of the list', COMMON.at(-1) ?? '', 'one of the most common'],
    ['of the name of the game', 'TapsTaps', 'must not be the name of the game'],
    ['of the name of the game and a year', 'taps-2026', 'must not be the name of the game'],
  ])('%s is refused with what is wrong', (_, password, words) => {
    const check = () => checkPassword(password, 'Swift Otter')
    expect(check).toThrow(Problem)
    expect(check).toThrow(words)
  })

  test.each([
    ['🔑'.repeat(8)],
    ['x'.repeat(64)],
    ['x'.repeat(256)],
    [' '.repeat(8)],
    ['12345678 but longer'],
    ['taps on the shoulder'],
    ['\u0000\u0001\u202e\ud800 whatever'],
  ])('such as %j may be', password => {
    expect(() => checkPassword(password, 'Swift Otter')).not.toThrow()
  })
})

test('a flood that finds no room is told when to come back, and costs its address nothing', async () => {
  const limits = new Limiter(true, () => 0)
  const flooded = hasher(1, limits)
  const { burst } = LIMITS.hashes
  const guess = (account: string) => flooded.for({ ...ASKER, account }).matches('guess', CHEAP)
  const results = await Promise.allSettled(Array.from({ length: burst }, (_, n) => guess(`account ${n}`)))
  const refused = results.filter(({ status }) => status === 'rejected')
  // One is at work already.
  expect(refused).toHaveLength(burst - HASH_QUEUE.ofAddressAlone - 1)
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', details: { retryAfter: 2 } } })
  for (let n = refused.length; n > 0; n -= 1) limits.take('hashes', ASKER.address)
  expect(() => limits.take('hashes', ASKER.address)).toThrow(Problem)
})

describe('of the share of an address is taken', () => {
  const { burst } = LIMITS.hashes

  test('a new account when it is hashed for one, both or neither', async () => {
    const limits = new Limiter(true, () => 0)
    const asked = hasher(1, limits).for({ ...ASKER, isNew: true })
    for (let n = 1; n < LIMITS.signUps.burst; n += 1) limits.take('signUps', ASKER.address)
    await asked.hash('correct horse')
    await expect(asked.hash('correct horse')).rejects.toMatchObject({ code: 'too_many_requests' })
    expect(await asked.matches('guess', CHEAP)).toBe(false)
    for (let n = 2; n < burst; n += 1) limits.take('hashes', ASKER.address)
    expect(() => limits.take('hashes', ASKER.address)).toThrow(Problem)
  })
})

test('when the thread that hashes ends, calls that wait for it are refused, and the next one starts another', async () => {
  const interrupted = hasher()
  const asked = interrupted.for(ASKER)
  const hash = await asked.hash('correct horse')
  const results = Promise.allSettled([1, 2].map(() => asked.matches('correct horse', hash)))
  await interrupted.close()
  // The one that the thread is at work on may still be answered.
  const [, waited] = await results
  expect(waited).toMatchObject({ reason: { code: 'unavailable', details: { retryAfter: 1 } } })
  expect(await asked.matches('correct horse', hash)).toBe(true)
  await interrupted.close()
})
