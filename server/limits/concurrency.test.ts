import { expect, test } from 'vitest'
import { ConcurrencyLimit } from './concurrency.ts'

const MAX = { ofAddress: 2, ofAll: 3 }

test('so many of one address are open, and one more for each that is released', () => {
  const limit = new ConcurrencyLimit(true, MAX)
  const release = limit.acquire('a')
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
  release?.()
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
})

test('so many are open in all, of whatever address', () => {
  const limit = new ConcurrencyLimit(true, MAX)
  const releases = ['a', 'b', 'c'].map(address => limit.acquire(address))
  expect(limit.acquire('d')).toBeNull()
  releases[1]?.()
  expect(limit.acquire('d')).not.toBeNull()
  expect(limit.acquire('e')).toBeNull()
})

test('what is released twice counts once', () => {
  const limit = new ConcurrencyLimit(true, MAX)
  const release = limit.acquire('a')
  limit.acquire('a')
  release?.()
  release?.()
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
})

test('switched off, none is refused', () => {
  const limit = new ConcurrencyLimit(false, MAX)
  for (let n = 0; n < 100; n += 1) expect(limit.acquire('a')).not.toBeNull()
})
