import { expect, test } from 'vitest'
import { ConcurrencyLimit } from './concurrency.ts'

test('refuses an address at its limit until the address releases a slot', () => {
  const limit = new ConcurrencyLimit(2)
  const release = limit.acquire('a')
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
  expect(limit.acquire('b')).not.toBeNull()
  release?.()
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
})
