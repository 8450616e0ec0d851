import { expect, test } from 'vitest'
import { ConcurrencyLimit } from './concurrency.ts'

const ROOM = { ofAddress: 2, ofAll: 3 }

test('so many of one address are let in, and one more for each that leaves', () => {
  const room = new ConcurrencyLimit(true, ROOM)
  const leave = room.enter('a')
  expect(room.enter('a')).not.toBeNull()
  expect(room.enter('a')).toBeNull()
  leave?.()
  expect(room.enter('a')).not.toBeNull()
  expect(room.enter('a')).toBeNull()
})

test('so many are let in in all, whoever they are', () => {
  const room = new ConcurrencyLimit(true, ROOM)
  const leaves = ['a', 'b', 'c'].map(address => room.enter(address))
  expect(room.enter('d')).toBeNull()
  leaves[1]?.()
  expect(room.enter('d')).not.toBeNull()
  expect(room.enter('e')).toBeNull()
})

test('who leaves twice has left once', () => {
  const room = new ConcurrencyLimit(true, ROOM)
  const leave = room.enter('a')
  room.enter('a')
  leave?.()
  leave?.()
  expect(room.enter('a')).not.toBeNull()
  expect(room.enter('a')).toBeNull()
})

test('switched off, there is always room', () => {
  const room = new ConcurrencyLimit(false, ROOM)
  for (let n = 0; n < 100; n += 1) expect(room.enter('a')).not.toBeNull()
})
