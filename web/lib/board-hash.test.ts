import { expect, test } from 'vitest'
import { readBoardHash } from './board-hash.ts'

test.each([
  ['#board', { show: null, transparent: false, scheme: null }],
  ['#board&transparent', { show: null, transparent: true, scheme: null }],
  ['#board&show=pool', { show: 'pool', transparent: false, scheme: null }],
  ['#board&show=leaderboard&transparent', { show: 'leaderboard', transparent: true, scheme: null }],
  ['#board&transparent&show=attempts', { show: 'attempts', transparent: true, scheme: null }],
  ['#board&scheme=light', { show: null, transparent: false, scheme: 'light' }],
  ['#board&transparent&scheme=dark', { show: null, transparent: true, scheme: 'dark' }],
  ['#board&show=later', { show: null, transparent: false, scheme: null }],
  ['#board&later', { show: null, transparent: false, scheme: null }],
  ['', null],
  ['#boardroom', null],
  ['#transparent', null],
])('reads the hash %j as %j', (hash, options) => {
  expect(readBoardHash(hash)).toEqual(options)
})
