import { expect, test } from 'vitest'
import { dareFragment, readDare } from './dare.ts'

test.each([
  ['#beat=0.130&by=mira', { differenceMs: 130, by: 'mira' }],
  ['#beat=0.000&by=Swift%20Otter%20427', { differenceMs: 0, by: 'Swift Otter 427' }],
  ['#beat=9.999&by=%D0%9C%D0%B8%D1%80%D0%B0', { differenceMs: 9_999, by: 'Мира' }],
  ['#beat=0.041&by=Tom%20%26%20Kim%20%2B%20%F0%9F%A6%8A', { differenceMs: 41, by: 'Tom & Kim + 🦊' }],
])('reads the dare %s', (hash, dare) => {
  expect(readDare(hash)).toEqual(dare)
  expect(dareFragment(dare.differenceMs, dare.by)).toBe(hash)
})

test.each([
  '',
  '#board',
  '#beat=0.13&by=mira',
  '#beat=0.1300&by=mira',
  '#beat=10.000&by=mira',
  '#beat=-0.130&by=mira',
  '#beat=1e2&by=mira',
  '#beat=٠.١٣٠&by=mira',
  '#beat=0,130&by=mira',
  '#beat=0.130',
  '#beat=0.130&by=',
  '#beat=0.130&by=%20%20',
  '#beat=0.130&by=%E0%A4%A',
  '#beat=0.130&by=mira&by=otto',
  '#beat=0.130&by=mira&board',
  '#by=mira&beat=0.130',
  '#beat=0.130&by=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
  '#beat=0.130&by=%E2%80%AE',
  '#beat=0.130&by=a%00b',
  `#beat=0.130&by=${'x'.repeat(33)}`,
  `#beat=0.130&by=${'%EF%B7%BA'.repeat(200)}`,
])('ignores the fragment %s', hash => {
  expect(readDare(hash)).toBeNull()
})

test('states no dare for a difference of 10 s or more', () => {
  expect(dareFragment(-10_000, 'mira')).toBe('')
})
