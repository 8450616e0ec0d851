import { expect, test } from 'vitest'
import { HIDDEN_NAME } from '../../contract/name.ts'
import { findOwnRow } from './own-row.ts'

const USER = { id: 1, username: 'Ola', taps_balance: 3 }

const board = (...rows: [username: string, taps: number][]) =>
  rows.map(([username, taps_balance]) => ({ username, taps_balance }))

test('finds a row by name, whatever the rank', () => {
  const rows = board(['Mira', 9], ['Ola', 3], ['Zed', 1])
  for (const rank of [1, 2, 14, null, 'unknown'] as const) expect(findOwnRow(rows, USER, rank)).toBe(1)
})

test('finds a masked row by rank among rows with the same balance', () => {
  const rows = board([HIDDEN_NAME, 9], [HIDDEN_NAME, 3], [HIDDEN_NAME, 3])
  expect([2, 3].map(rank => findOwnRow(rows, USER, rank))).toEqual([1, 2])
})

test('finds a masked row by balance when the board has changed since the rank was read', () => {
  const rows = board(['Mira', 9], [HIDDEN_NAME, 8], [HIDDEN_NAME, 3], ['Zed', 3])
  expect([1, 2].map(rank => findOwnRow(rows, USER, rank))).toEqual([2, 2])
})

test('finds no row for a user who is not on the board', () => {
  const rows = board(['Mira', 9], [HIDDEN_NAME, 3])
  for (const rank of [3, null, 'unknown'] as const) expect(findOwnRow(rows, USER, rank)).toBe(-1)
  expect(findOwnRow(board(['Mira', 9], [HIDDEN_NAME, 4]), USER, 2)).toBe(-1)
})
