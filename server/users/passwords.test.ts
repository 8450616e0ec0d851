import { describe, expect, test } from 'vitest'
import { PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { readList } from '../lib/lists.ts'
import { Problem } from '../problem.ts'
import { checkPassword, PasswordHasher } from './passwords.ts'

const COMMON = readList('common-passwords')

const CLIENT = { address: '192.0.2.5', user: 'somebody' }

/** With the cheapest cost of bcrypt: 1 ms instead of 45. */
function hasher(pepper = 1) {
  return new PasswordHasher(Buffer.alloc(32, pepper), true, 4)
}

const passwords = hasher().for(CLIENT)

test('the list of common passwords holds 3,000 that could be used otherwise', () => {
  expect(new Set(COMMON).size).toBe(3_000)
  expect(COMMON.filter(password => password.length < PASSWORD_MIN_LENGTH)).toEqual([])
  expect(COMMON.filter(password => password !== password.toLowerCase())).toEqual([])
})

test('a password matches its own hash and no other, and no hash without its pepper', async () => {
  const hash = await passwords.hash('correct horse')
  expect(await passwords.matches('correct horse', hash)).toBe(true)
  expect(await passwords.matches('correct horsf', hash)).toBe(false)
  expect(await hasher(2).for(CLIENT).matches('correct horse', hash)).toBe(false)
})

test('the game hashes at a cost of 10, 45 ms of a core', async () => {
  const asked = new PasswordHasher(Buffer.alloc(32, 1), true).for(CLIENT)
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
