import { expect, test } from 'vitest'
import { memoryStorage } from './testing/memoryStorage.ts'
import { dropUnsent, keepUnsent, readUnsent, UNSENT_KEY, type Unsent } from './unsent.ts'

const UNSENT: Unsent = { round: 'r1', start: null, username: 'ola', target_ms: 3_210, actual_ms: 3_248 }

test('dropping an attempt leaves what another tab has kept meanwhile', () => {
  const storage = memoryStorage()
  const other = { ...UNSENT, round: 'r2' }
  keepUnsent(storage, other)
  dropUnsent(storage, UNSENT)
  expect(readUnsent(storage)).toEqual(other)
})

test.each([
  ['{'],
  ['null'],
  ['7'],
  [JSON.stringify({ ...UNSENT, actual_ms: '3248' })],
  [JSON.stringify({ ...UNSENT, target_ms: 3_210.5 })],
  [JSON.stringify({ ...UNSENT, start: 5 })],
  [JSON.stringify({ round: 'r1' })],
])('%s is no attempt', stored => {
  const storage = memoryStorage()
  storage.setItem(UNSENT_KEY, stored)
  expect(readUnsent(storage)).toBeNull()
})
