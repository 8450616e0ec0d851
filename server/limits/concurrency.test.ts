import { expect, test } from 'vitest'
import { ConcurrencyLimit, StreamLimit } from './concurrency.ts'

test('refuses a key at its limit until the key releases a slot', () => {
  const limit = new ConcurrencyLimit(2)
  const release = limit.acquire('a')
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
  expect(limit.acquire('b')).not.toBeNull()
  release?.()
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
})

test('refuses every key at the total limit until any key releases a slot', () => {
  const limit = new ConcurrencyLimit(2, 3)
  const releases = ['a', 'b', 'c'].map(key => limit.acquire(key))
  expect(limit.acquire('d')).toBeNull()
  releases[1]?.()
  expect(limit.acquire('d')).not.toBeNull()
  expect(limit.acquire('e')).toBeNull()
})

test('leaves an address its slots when one of its players has too many streams', () => {
  const limit = new StreamLimit({ ofPlayer: 1, ofAddress: 2, ofAll: 9 })
  expect(limit.acquire('address', 'player')).not.toBeNull()
  expect(limit.acquire('address', 'player')).toBeNull()
  expect(limit.acquire('address', 'other player')).not.toBeNull()
})
