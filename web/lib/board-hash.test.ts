import { expect, test } from 'vitest'
import { readBoardHash } from './board-hash.ts'

test.each([
  ['#board', { show: null, transparent: false }],
  ['#board&transparent', { show: null, transparent: true }],
  ['#board&show=pool', { show: 'pool', transparent: false }],
  ['#board&show=leaderboard&transparent', { show: 'leaderboard', transparent: true }],
  ['#board&transparent&show=attempts', { show: 'attempts', transparent: true }],
  ['#board&show=later', { show: null, transparent: false }],
  ['#board&later', { show: null, transparent: false }],
  ['', null],
  ['#boardroom', null],
  ['#transparent', null],
])('reads the hash %j as %j', (hash, options) => {
  expect(readBoardHash(hash)).toEqual(options)
})
