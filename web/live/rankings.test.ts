import { expect, test } from 'vitest'
import { HIDDEN_NAME } from '../../contract/name.ts'
import { type Claim, describeRank, rank } from './rankings.ts'

const board = (...balances: number[]) =>
  balances.map((taps_balance, index) => ({ username: `Player ${index + 1}`, taps_balance }))

const FULL = board(39, 33, 27, 21, 18, 12, 10, 8, 6, 4)
const OWN = 'Player 8'
const GUEST = undefined

const claim = (taps: number, isClaimed = false): Claim => ({ username: OWN, taps, isClaimed })
const shown = (...args: Parameters<typeof rank>) => rank(...args).map(({ taps, kind }) => `${taps} ${kind}`)

test.each([
  [FULL, GUEST, [40, 39, 32, 27, 5, 4, 1], [0, 1, 2, 3, 9, -1, -1]],
  [FULL, OWN, [32, 8], [2, 7]],
  [board(9, 5), GUEST, [6, 5, 1], [1, 2, 2]],
  [board(), GUEST, [1], [0]],
])(
  'places an offered claim below every higher or equal balance of others: %j for %s',
  (rows, own, taps, places) => {
    const placed = taps.map(taps => rank(rows, own, claim(taps)).findIndex(({ kind }) => kind === 'claim'))
    expect(placed).toEqual(places)
  },
)

test("an offered claim moves the player's own row, under the same key", () => {
  const offered = rank(FULL, OWN, claim(32))
  expect(offered.map(({ taps }) => taps)).toEqual([39, 33, 32, 27, 21, 18, 12, 10, 6, 4])
  const before = rank(FULL, OWN, null).find(({ kind }) => kind === 'own')
  expect(offered.filter(({ kind }) => kind !== 'other')).toEqual([{ ...before, taps: 32, kind: 'claim' }])
})

test.each([
  ['a guest', GUEST],
  ['a user outside the board', 'Nobody here'],
])('an offered claim adds a row for %s, and the last place stays', (_who, name) => {
  expect(shown(FULL, name, claim(32)).slice(1, 4)).toEqual(['33 other', '32 claim', '27 other'])
  expect(shown(FULL, name, claim(32)).slice(-2)).toEqual(['6 other', '4 other'])
  expect(shown(FULL, name, claim(4)), 'a claim that leads to no place adds none').toHaveLength(10)
})

test("shows the claimed balance in the player's row, under the same key, until the board contains the claim", () => {
  const before = rank(FULL, OWN, null).find(({ kind }) => kind === 'own')
  const claimed = rank(FULL, OWN, claim(32, true))
  expect(claimed.slice(1, 4).map(({ taps }) => taps)).toEqual([33, 32, 27])
  expect(claimed.filter(({ kind }) => kind === 'own')).toEqual([{ ...before, taps: 32 }])
  for (const taps of [32, 50]) {
    const rows = [{ username: OWN, taps_balance: taps }, ...board(9)]
    expect(shown(rows, OWN, claim(32, true))).toEqual([`${taps} own`, '9 other'])
  }
})

test('gives each row a unique key, masked or not', () => {
  const masked = { username: HIDDEN_NAME, taps_balance: 4 }
  const keys = rank([...board(9, 5), masked, masked], GUEST, claim(6)).map(({ key }) => key)
  expect(new Set(keys).size).toBe(5)
})

test.each([
  ['You are 10th.', 10, 4],
  ['You are 14th, 1 to the top ten.', 14, 4],
  ['You are 1,014th, 4 to the top ten.', 1_014, 1],
  ['You are 11th.', 11, 5],
])('says "%s" to a user of rank %i with %i TAPS', (text, rank, balance) => {
  expect(describeRank(rank, balance, FULL)).toBe(text)
})

test('does not say what is missing to the top ten while the board has room', () => {
  expect(describeRank(11, 1, board(39, 33))).toBe('You are 11th.')
})
