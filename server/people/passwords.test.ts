import { describe, expect, test } from 'vitest'
import { PasswordHasher } from './passwords.ts'

/** Creates a hasher with the lowest bcrypt cost: a hash takes 1 ms instead of 45 ms. */
function hasher(key = 1) {
  return new PasswordHasher(async () => Buffer.alloc(32, key), undefined, 4)
}

const passwords = hasher()

test('matches a password only with its own hash and the same key', async () => {
  const hash = await passwords.hash('here', 'correct horse')
  expect(await passwords.matches('here', 'correct horse', hash)).toBe(true)
  expect(await passwords.matches('here', 'correct horsf', hash)).toBe(false)
  expect(await hasher(2).matches('here', 'correct horse', hash)).toBe(false)
})

test('hashes at bcrypt cost 10 by default', async () => {
  const standard = new PasswordHasher(async () => Buffer.alloc(32, 1))
  expect(await standard.hash('here', 'correct horse')).toMatch(/^\$2b\$10\$/)
})

describe('matching a password compares', () => {
  test.each([
    ['the 73rd byte', 'x'.repeat(72), 'x'.repeat(73)],
    ['the 256th character', `${'x'.repeat(255)}a`, `${'x'.repeat(255)}b`],
    ['the text after a NUL', 'before\0after', 'before\0later'],
    ['the 73rd byte of three-byte letters', '計'.repeat(24), `${'計'.repeat(24)}時`],
  ])('%s, which bcrypt alone would ignore', async (_, password, other) => {
    const hash = await passwords.hash('here', password)
    expect(await passwords.matches('here', password, hash)).toBe(true)
    expect(await passwords.matches('here', other, hash)).toBe(false)
  })
})

test('matches composed and decomposed spellings of the same password', async () => {
  const hash = await passwords.hash('here', 'Zo\u00eb and otter')
  expect(await passwords.matches('here', 'Zoe\u0308 and otter', hash)).toBe(true)
})
