import { expect, test } from 'vitest'
import { readBoardHash } from './board-hash.ts'

test.each([
  ['#board', { transparent: false }],
  ['#board&transparent', { transparent: true }],
  ['#board&later', { transparent: false }],
  ['', null],
  ['#boardroom', null],
  ['#transparent', null],
])('reads the hash %j as %j', (hash, options) => {
  expect(readBoardHash(hash)).toEqual(options)
})
