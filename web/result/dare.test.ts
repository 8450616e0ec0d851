import { expect, test } from 'vitest'
import { dareFragment, readDare } from './dare.ts'

test.each([
  ['#by=mira&beat=0.130', { kind: 'result', differenceMs: 130, by: 'mira' }],
  ['#by=mira&hand=0.142', { kind: 'hand', differenceMs: 142, by: 'mira' }],
  ['#by=Ola%21&beat=0.130', { kind: 'result', differenceMs: 130, by: 'Ola!' }],
  [
    '#by=Mr%2E%20T%5Fx%2Dy%27z%28%29%2C%3F&hand=9.999',
    { kind: 'hand', differenceMs: 9_999, by: "Mr. T_x-y'z(),?" },
  ],
  ['#by=%D0%9C%D0%B8%D1%80%D0%B0&beat=0.000', { kind: 'result', differenceMs: 0, by: 'Мира' }],
  [
    '#by=Tom%20%26%20Kim%20%2B%20%F0%9F%A6%8A&beat=0.041',
    { kind: 'result', differenceMs: 41, by: 'Tom & Kim + 🦊' },
  ],
] as const)('writes and reads the dare %s', (hash, dare) => {
  expect(dareFragment(dare)).toBe(hash)
  expect(readDare(hash)).toEqual(dare)
})

test.each([
  ['of earlier releases', '#beat=0.130&by=mira'],
  ['with parameters that a chat appends', '#by=mira&beat=0.130&utm_source=x&fbclid=a.b_c'],
  ['with parameters that a chat puts first', '#ref=1&by=mira&beat=0.130'],
  ['whose & is written as HTML', '#by=mira&amp;beat=0.130'],
  ['with every parameter twice', '#by=mira&beat=0.130&by=otto&beat=0.001'],
  ['with a board that comes later', '#beat=0.130&by=mira&board'],
])('reads the first name and figure of a dare %s', (_what, hash) => {
  expect(readDare(hash)).toEqual({ kind: 'result', differenceMs: 130, by: 'mira' })
})

test.each([
  '',
  '#board',
  '#beat=0.13&by=mira',
  '#beat=0.13&beat=0.130&by=mira',
  '#beat=x&hand=0.142&by=mira',
  '#beat=0.1300&by=mira',
  '#beat=10.000&by=mira',
  '#beat=-0.130&by=mira',
  '#beat=1e2&by=mira',
  '#beat=٠.١٣٠&by=mira',
  '#beat=0,130&by=mira',
  '#beat=0.130',
  '#hand=0.142',
  '#by=mira',
  '#beat=0.130&by=',
  '#beat=0.130&by=%20%20',
  '#beat=0.130&by=%E0%A4%A',
  '#beat=0.130&by=mira%FF',
  '#beat=0.130&by=&by=otto',
  '#beat=0.130&by=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
  '#beat=0.130&by=%E2%80%AE',
  '#beat=0.130&by=a%00b',
  `#beat=0.130&by=${'x'.repeat(33)}`,
  `#beat=0.130&by=${'%EF%B7%BA'.repeat(200)}`,
])('ignores the fragment %s', hash => {
  expect(readDare(hash)).toBeNull()
})

test('states no dare for a difference of 10 s or more', () => {
  expect(dareFragment({ kind: 'result', differenceMs: -10_000, by: 'mira' })).toBe('')
})
