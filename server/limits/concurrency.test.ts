import { expect, test } from 'vitest'
import { ConcurrencyLimit } from './concurrency.ts'

const MAX = { ofOne: 2, ofAll: 3 }

test('so many of one address are open, and one more for each that is released', () => {
  const limit = new ConcurrencyLimit(true, MAX)
  const release = limit.acquire('a')
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
  release?.()
  expect(limit.acquire('a')).not.toBeNull()
  expect(limit.acquire('a')).toBeNull()
})

test('a customer of IPv6 has a few times as many, over however many addresses', () => {
  const limit = new ConcurrencyLimit(true, { ofOne: 2, ofAll: 100 })
  const of = (subnet: number) => limit.acquire(`2001:db8:1:${subnet.toString(16)}::/64`)
  const household = [0x200, 0x201, 0x202, 0x203].map(of)
  expect(household).not.toContain(null)
  expect(of(0x204), 'a /56 has twice as many').toBeNull()
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
