import { expect, test } from 'vitest'
import { readBoardHash } from './board-hash.ts'

test.each([
  ['#board', { show: null, transparent: false, scheme: null, list: 'leaderboard' }],
  ['#board&transparent', { show: null, transparent: true, scheme: null, list: 'leaderboard' }],
  ['#board&show=pool', { show: 'pool', transparent: false, scheme: null, list: 'leaderboard' }],
  [
    '#board&show=leaderboard&transparent',
    { show: 'leaderboard', transparent: true, scheme: null, list: 'leaderboard' },
  ],
  [
    '#board&transparent&show=attempts',
    { show: 'attempts', transparent: true, scheme: null, list: 'leaderboard' },
  ],
  ['#board&scheme=light', { show: null, transparent: false, scheme: 'light', list: 'leaderboard' }],
  ['#board&transparent&scheme=dark', { show: null, transparent: true, scheme: 'dark', list: 'leaderboard' }],
  ['#board&today', { show: null, transparent: false, scheme: null, list: 'today' }],
  ['#board&show=today', { show: 'today', transparent: false, scheme: null, list: 'leaderboard' }],
  ['#board&show=later', { show: null, transparent: false, scheme: null, list: 'leaderboard' }],
  ['#board&later', { show: null, transparent: false, scheme: null, list: 'leaderboard' }],
  ['', null],
  ['#boardroom', null],
  ['#transparent', null],
])('reads the hash %j as %j', (hash, options) => {
  expect(readBoardHash(hash)).toEqual(options)
})
