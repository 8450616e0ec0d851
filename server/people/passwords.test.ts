import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { HASH_QUEUE } from '../../contract/limits.ts'
import { PASSWORD_MIN_LENGTH } from '../../contract/rules.ts'
import { readList } from '../lib/project.ts'
import { Problem } from '../problem.ts'
import { checkPassword, HashQueue, PasswordHasher } from './passwords.ts'

const COMMON = readList('common-passwords')

/** Creates a hasher with the lowest bcrypt cost: a hash takes 1 ms instead of 45 ms. */
function hasher(key = 1) {
  return new PasswordHasher(async () => Buffer.alloc(32, key), undefined, 4)
}

const passwords = hasher()

test('lists 3,000 common passwords, all long enough and in lower case', () => {
  expect(new Set(COMMON).size).toBe(3_000)
  expect(COMMON.filter(password => password.length < PASSWORD_MIN_LENGTH)).toEqual([])
  expect(COMMON.filter(password => password !== password.toLowerCase())).toEqual([])
})

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

describe('checkPassword', () => {
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
})

const { ofAll, ofAddress } = HASH_QUEUE

/** Opens a queue. Each hash runs until the test calls `endOne`. */
function openQueue(most?: number) {
  const queue = new HashQueue(most)
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    close: () => queue.close(),
    ask: (name: string, address = name) =>
      queue.run(address, async () => {
        begun.push(name)
        await new Promise<void>(resolve => ends.push(resolve))
        return name
      }),
    endOne: () => ends.shift()?.(),
  }
}

describe('the queue of hashes', () => {
  test('runs one hash at a time, in the order of the requests', async () => {
    const { ask, begun, endOne } = openQueue()
    const results = ['a', 'b', 'c'].map(name => ask(name))
    await turn()
    for (const [n, result] of results.entries()) {
      expect(begun).toEqual(['a', 'b', 'c'].slice(0, n + 1))
      endOne()
      await result
      await turn()
    }
  })

  test('runs the next hash after a hash fails', async () => {
    const queue = new HashQueue()
    const failed = queue.run('a', () => Promise.reject(new Error('failed')))
    const next = queue.run('a', async () => 'hashed')
    await expect(failed).rejects.toThrow('failed')
    expect(await next).toBe('hashed')
  })

  test.each<[most: number, what: string, addressOf: (n: number) => string]>([
    [ofAll, 'in total', n => `192.0.2.${n}`],
    [ofAddress, 'for one address', () => '192.0.2.1'],
  ])('refuses a hash when %i hashes are already waiting %s', async (most, _, addressOf) => {
    const { ask, begun, endOne } = openQueue()
    void ask('running', 'another')
    await turn()
    const waiting = Array.from({ length: most }, (_, n) => ask(`${n}`, addressOf(n)))
    await expect(ask('one more', addressOf(most))).rejects.toMatchObject({
      code: 'unavailable',
      details: { retryAfter: 2, isUnlogged: true },
    })
    endOne()
    await turn()
    expect(begun).toEqual(['running', '0'])
    void ask('admitted', addressOf(most))
    for (const [n, result] of waiting.entries()) {
      endOne()
      expect(await result).toBe(`${n}`)
      await turn()
    }
  })

  test('refuses waiting and new hashes once closed, but finishes the hash in progress', async () => {
    const { ask, close, endOne } = openQueue()
    const running = ask('running')
    await turn()
    const refused = Promise.allSettled([ask('waiting'), ask('too late')])
    close()
    endOne()
    expect(await running).toBe('running')
    expect(await refused).toMatchObject(
      Array(2).fill({ reason: { code: 'unavailable', details: { retryAfter: 1 } } }),
    )
  })
})
