import { expect, test } from 'vitest'
import { PENDING } from '../testing/game.ts'
import { memoryStorage } from '../testing/memoryStorage.ts'
import {
  PENDING_ATTEMPT_KEY,
  readPendingAttempt,
  removePendingAttempt,
  storePendingAttempt,
} from './pending-attempt.ts'

test("keeps another tab's attempt when an attempt is removed", () => {
  const storage = memoryStorage()
  const other = { ...PENDING, round: 'r2' }
  storePendingAttempt(storage, other)
  removePendingAttempt(storage, PENDING)
  expect(readPendingAttempt(storage)).toEqual(other)
})

test('reads an attempt that release 1.2.0 has stored', () => {
  const storage = memoryStorage()
  const { rounds: _, ...stored } = PENDING
  storage.setItem(PENDING_ATTEMPT_KEY, JSON.stringify({ ...stored, after: 10 }))
  expect(readPendingAttempt(storage)).toMatchObject({ ...stored, rounds: null })
})

test.each([
  ['{'],
  ['7'],
  [JSON.stringify({ ...PENDING, actual_ms: '3248' })],
  [JSON.stringify({ ...PENDING, start: 5 })],
  [JSON.stringify({ round: 'r1' })],
])('returns null for the stored value %s', stored => {
  const storage = memoryStorage()
  storage.setItem(PENDING_ATTEMPT_KEY, stored)
  expect(readPendingAttempt(storage)).toBeNull()
})
