import { expect, test } from 'vitest'
import { PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { readList } from '../lib/project.ts'
import { Problem } from '../problem.ts'
import { checkPassword } from './password-rule.ts'

const COMMON = readList('common-passwords')

test('lists 3,000 common passwords, all long enough and in lower case', () => {
  expect(new Set(COMMON).size).toBe(3_000)
  expect(COMMON.filter(password => password.length < PASSWORD_MIN_LENGTH)).toEqual([])
  expect(COMMON.filter(password => password !== password.toLowerCase())).toEqual([])
})

test.each([
  ['7 characters', '1234567', 'at least 8 characters'],
  ['7 emoji', '🔑'.repeat(7), 'at least 8 characters'],
  ['257 characters', 'x'.repeat(257), 'at most 256 characters'],
  ['the username in another case', 'swift OTTER', 'must differ from the username'],
  ['a common password', 'password', 'one of the most common'],
  ['a common password in capitals', 'QWERTYUIOP', 'one of the most common'],
  ['a common password in full-width letters', 'ｉｌｏｖｅｙｏｕ', 'one of the most common'],
  ['the last common password of the list', COMMON.at(-1) ?? '', 'one of the most common'],
  ['the name of the game twice', 'TapsTaps', 'must not be the name of the game'],
  ['the name of the game and a year', 'taps-2026', 'must not be the name of the game'],
])('gives the reason for rejecting %s', (_, password, reason) => {
  const check = () => checkPassword(password, 'Swift Otter')
  expect(check).toThrow(Problem)
  expect(check).toThrow(reason)
})

test.each([
  ['🔑'.repeat(8)],
  ['x'.repeat(64)],
  ['x'.repeat(256)],
  [' '.repeat(8)],
  ['12345678 but longer'],
  ['taps on the shoulder'],
  ['\u0000\u0001\u202e\ud800 whatever'],
])('accepts %j', password => {
  expect(() => checkPassword(password, 'Swift Otter')).not.toThrow()
})
