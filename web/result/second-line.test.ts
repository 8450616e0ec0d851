import { expect, test } from 'vitest'
import { type Known, secondLine } from './second-line.ts'

/** A recorded near miss about which everything is known that a line could say. */
const ALL: Known = {
  ...{
    message: 'Not verified',
    isSending: true,
    isRecorded: true,
    differenceMs: 141,
    won: null,
    poolTaps: 23,
  },
  taker: { username: 'mira', won_taps: 1_284 },
  dare: { by: 'ola', differenceMs: 186 },
  bestBeforeMs: 150,
}
const NOTHING: Partial<Known> = {
  message: null,
  isSending: false,
  taker: null,
  dare: null,
  bestBeforeMs: null,
}
const written = (known: Partial<Known>) => {
  const line = secondLine({ ...ALL, ...known })
  return line?.pieces.map(({ text, kind }) => (kind ? `[${text}]` : text)).join(' ') ?? null
}

test('says the most important thing that is known about a result', () => {
  const ranks: [Partial<Known>, string | null][] = [
    [{}, 'Not verified'],
    [{ message: null }, 'Sending…'],
    [{ isSending: false }, '[mira] just took the [1,284 TAPS]'],
    [{ taker: null }, 'You beat [ola] by 0.045 s'],
    [{ dare: { by: 'ola', differenceMs: 56 } }, 'Your best yet'],
    [{ bestBeforeMs: 141 }, '[ola] was 0.085 s closer'],
    [{ dare: null }, '0.041 s short of [24 TAPS]'],
    [{ poolTaps: null }, null],
  ]
  let known: Partial<Known> = {}
  for (const [less, line] of ranks) {
    known = { ...known, ...less }
    expect(written(known)).toBe(line)
  }
})

test.each([
  ['nothing before the answer, so that no line is taken back', { ...NOTHING, isRecorded: false }, null],
  ['no miss after a win', { ...NOTHING, differenceMs: 38, won: 24 }, null],
  [
    'no winner after a win, who would be the player',
    { ...NOTHING, won: 24, taker: ALL.taker, differenceMs: -38 },
    null,
  ],
  [
    'a dare beaten by a win',
    { ...NOTHING, differenceMs: 38, won: 24, dare: ALL.dare },
    'You beat [ola] by 0.148 s',
  ],
  ['a best by a win', { ...NOTHING, differenceMs: 38, won: 24, bestBeforeMs: 39 }, 'Your best yet'],
  ['a tie with a dare', { ...NOTHING, dare: { by: 'ola', differenceMs: 141 } }, 'As close as [ola]'],
  ['a miss by up to 0.3 s', { ...NOTHING, differenceMs: -400 }, '0.300 s short of [24 TAPS]'],
  ['nothing beyond a near miss', { ...NOTHING, differenceMs: 401 }, null],
  [
    'no best of more than 0.3 s',
    { ...NOTHING, differenceMs: 301, bestBeforeMs: 900 },
    '0.201 s short of [24 TAPS]',
  ],
] as [string, Partial<Known>, string | null][])('says %s', (_what, known, line) => {
  expect(written(known)).toBe(line)
})
