import { expect, test } from 'vitest'
import { HIDDEN_NAME } from '../../contract/name.ts'
import { findClaimRow, findOwnRow, rank } from './rankings.ts'

const board = (...balances: number[]) =>
  balances.map((taps_balance, index) => ({ username: `Player ${index + 1}`, taps_balance }))

const FULL = board(39, 33, 27, 21, 18, 12, 10, 8, 6, 4)
const CLAIM = { username: 'Player 8', taps: 32, isClaimed: false }

const shown = (...args: Parameters<typeof rank>) => rank(...args).map(({ taps, kind }) => `${taps} ${kind}`)

test('places a claim below every higher or equal balance', () => {
  expect([40, 39, 32, 27, 5].map(taps => findClaimRow(FULL, taps, -1))).toEqual([0, 1, 2, 3, 9])
})

test('shows no row for a claim outside the top ten', () => {
  expect([4, 1].map(taps => findClaimRow(FULL, taps, -1))).toEqual([-1, -1])
  expect(rank(FULL, -1, { ...CLAIM, taps: 4 })).toEqual(rank(FULL, -1, null))
})

test('places a claim at the end of a board that is not full', () => {
  expect(findClaimRow([], 1, -1)).toBe(0)
  expect(findClaimRow(board(9, 5), 5, -1)).toBe(2)
})

test("ignores the player's own row when placing the claim", () => {
  expect(findClaimRow(FULL, 32, 7)).toBe(2)
  expect(findClaimRow(board(39, 8), 8, 1)).toBe(1)
})

test("adds a row for an offered claim, and keeps the player's own row", () => {
  expect(shown(FULL, 7, CLAIM).slice(1, 5)).toEqual(['33 other', '32 claim', '27 other', '21 other'])
  expect(shown(FULL, 7, CLAIM).slice(-3)).toEqual(['10 other', '8 own', '6 other'])
  expect(rank(FULL, 7, CLAIM)[8]?.key).toBe(rank(FULL, 7, null)[7]?.key)
})

test('drops the last row for the claim of a player outside the top ten', () => {
  expect(shown(FULL, -1, CLAIM).slice(1, 3)).toEqual(['33 other', '32 claim'])
  expect(shown(FULL, -1, CLAIM)).toHaveLength(10)
})

test("shows the claimed balance in the player's row, under the same key, until the board contains the claim", () => {
  const claim = { ...CLAIM, isClaimed: true }
  expect(shown(FULL, 7, claim).slice(1, 4)).toEqual(['33 other', '32 own', '27 other'])
  expect(shown(FULL, 7, claim)).not.toContain('8 own')
  const updated = board(39, 33, 32, 27)
  const ranked = rank(updated, 2, claim)
  expect(ranked.map(({ kind }) => kind)).toEqual(['other', 'other', 'own', 'other'])
  expect(ranked[2]?.key).toBe(rank(FULL, 7, claim)[2]?.key)
  expect(shown(board(50, 39, 33), 0, claim), 'after another claim').toEqual([
    '50 own',
    '39 other',
    '33 other',
  ])
})

test('gives each row a unique key, masked or not', () => {
  const rows = [
    ...board(9, 5),
    { username: HIDDEN_NAME, taps_balance: 4 },
    { username: 'own', taps_balance: 3 },
  ]
  const keys = rank(rows, -1, { ...CLAIM, taps: 6 }).map(({ key }) => key)
  expect(new Set(keys).size).toBe(5)
})

const USER = { id: 1, username: 'Ola', taps_balance: 3 }

const named = (...rows: [username: string, taps: number][]) =>
  rows.map(([username, taps_balance]) => ({ username, taps_balance }))

test('finds a row by name, whatever the rank', () => {
  const rows = named(['Mira', 9], ['Ola', 3], ['Zed', 1])
  for (const rank of [1, 2, 14, null, 'unknown'] as const) expect(findOwnRow(rows, USER, rank)).toBe(1)
})

test('finds a masked row by rank among rows with the same balance', () => {
  const rows = named([HIDDEN_NAME, 9], [HIDDEN_NAME, 3], [HIDDEN_NAME, 3])
  expect([2, 3].map(rank => findOwnRow(rows, USER, rank))).toEqual([1, 2])
})

test('finds a masked row by balance when the board has changed since the rank was read', () => {
  const rows = named(['Mira', 9], [HIDDEN_NAME, 8], [HIDDEN_NAME, 3], ['Zed', 3])
  expect([1, 2].map(rank => findOwnRow(rows, USER, rank))).toEqual([2, 2])
})

test('finds no row for a user who is not on the board', () => {
  const rows = named(['Mira', 9], [HIDDEN_NAME, 3])
  for (const rank of [3, null, 'unknown'] as const) expect(findOwnRow(rows, USER, rank)).toBe(-1)
  expect(findOwnRow(named(['Mira', 9], [HIDDEN_NAME, 4]), USER, 2)).toBe(-1)
})
