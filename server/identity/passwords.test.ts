import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { readList } from '../lib/lists.ts'
import { Problem } from '../problem.ts'
import { checkPassword, Passwords } from './passwords.ts'

const COMMON = readList('common-passwords')

const passwords = new Passwords(Buffer.alloc(32, 1))

test('the list of common passwords holds 3,000 that could be used otherwise', () => {
  expect(new Set(COMMON).size).toBe(3_000)
  expect(COMMON.filter(password => password.length < PASSWORD_MIN_LENGTH)).toEqual([])
  expect(COMMON.filter(password => password !== password.toLowerCase())).toEqual([])
})

test('a password matches its own hash and no other', async () => {
  const hash = await passwords.hash('correct horse')
  expect(hash).toMatch(/^\$2b\$10\$/)
  expect(await passwords.matches('correct horse', hash)).toBe(true)
  expect(await passwords.matches('correct horsf', hash)).toBe(false)
  expect(await passwords.matches('', hash)).toBe(false)
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

test('a hash is worth nothing without its pepper', async () => {
  const hash = await passwords.hash('correct horse')
  expect(await new Passwords(Buffer.alloc(32, 2)).matches('correct horse', hash)).toBe(false)
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

describe('a flood', () => {
  const flooded = new Passwords(Buffer.alloc(32, 1))
  let results: PromiseSettledResult<boolean>[] = []

  beforeAll(async () => {
    const cheap = '$2b$04$abcdefghijklmnopqrstuuM3NH6ZdXGmO2ZWmvxDjmy3cSuPfTOqi'
    const flood = Array.from({ length: 60 }, () => flooded.matches('guess', cheap))
    results = await Promise.allSettled(flood)
  })

  test('has one at work and 40 waiting; the others are refused', () => {
    const statuses = results.map(({ status }) => status)
    expect(statuses.slice(0, 41)).toEqual(Array(41).fill('fulfilled'))
    expect(statuses.slice(41)).toEqual(Array(19).fill('rejected'))
    for (const result of results.slice(41)) {
      expect(result).toMatchObject({ reason: { code: 'unavailable', details: { retryAfter: 2 } } })
    }
  })

  test('leaves the queue open when it is over', async () => {
    const hash = await flooded.hash('correct horse')
    expect(await flooded.matches('correct horse', hash)).toBe(true)
  })
})

test('when the thread that hashes ends, calls that wait for it are refused, and the next one starts another', async () => {
  const interrupted = new Passwords(Buffer.alloc(32, 1))
  const hash = await interrupted.hash('correct horse')
  // It would take 0.7 s: the thread is at work when it ends, however busy the machine is.
  const dear = '$2b$14$abcdefghijklmnopqrstuuM3NH6ZdXGmO2ZWmvxDjmy3cSuPfTOqi'
  const waiting = interrupted.matches('correct horse', dear)
  await interrupted.close()
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 1 } })
  expect(await interrupted.matches('correct horse', hash)).toBe(true)
  await interrupted.close()
})
