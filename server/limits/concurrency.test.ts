import { expect, test } from 'vitest'
import { ConcurrencyLimit } from './concurrency.ts'

test('refuses an address at its limit until the address releases a slot', () => {
  const limit = new ConcurrencyLimit({ ofAddress: 2, ofAll: 9 })
  const release = limit.acquire('a')
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
  expect(limit.acquire('b')).not.toBeNull()
  release?.()
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
})

test('refuses every address at the total limit until any address releases a slot', () => {
  const limit = new ConcurrencyLimit({ ofAddress: 2, ofAll: 3 })
  const releases = ['a', 'b', 'c'].map(key => limit.acquire(key))
  expect(limit.acquire('d')).toBeNull()
  releases[1]?.()
  expect(limit.acquire('d')).not.toBeNull()
  expect(limit.acquire('e')).toBeNull()
})
