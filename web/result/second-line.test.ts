import { expect, test } from 'vitest'
import type { Against } from '../round/against.ts'
import { type Known, secondLine } from './second-line.ts'

type All = Omit<Known, 'against'> & Against

/** A recorded near miss about which everything is known that a line could say. */
const ALL: All = {
  ...{ message: 'Not verified', isSending: true, isRecorded: true, differenceMs: 141, won: null },
  poolAtStop: { taps: 23, last_win: null },
  taker: { username: 'mira', is_guest: true, won_taps: 1_284, created_at: '2026-01-01T00:00:00Z' },
  dare: { kind: 'result', by: 'ola', differenceMs: 186 },
  bestBeforeMs: 150,
}
const NOTHING: Partial<All> = {
  message: null,
  isSending: false,
  taker: null,
  dare: null,
  bestBeforeMs: null,
}
const written = (part: Partial<All>) => {
  const known = { ...ALL, ...part }
  const line = secondLine({ ...known, against: known })
  return line?.pieces.map(({ text, kind }) => (kind ? `[${text}]` : text)).join(' ') ?? null
}

test('says the most important thing that is known about a result', () => {
  const ranks: [Partial<All>, string | null][] = [
    [{}, 'Not verified'],
    [{ message: null }, 'Sending…'],
    [{ isSending: false }, '[mira] just took the [1,284 TAPS]'],
    [{ taker: null }, 'You beat [ola] by 0.045 s'],
    [{ dare: { kind: 'result', by: 'ola', differenceMs: 56 } }, 'Your best yet'],
    [{ bestBeforeMs: 141 }, '[ola] was 0.085 s closer'],
    [{ dare: null }, '0.041 s short of [24 TAPS]'],
    [{ poolAtStop: null }, null],
  ]
  let known: Partial<All> = {}
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
  [
    'a tie with a dare',
    { ...NOTHING, dare: { kind: 'result', by: 'ola', differenceMs: 141 } },
    'As close as [ola]',
  ],
  ['a miss by up to 0.3 s', { ...NOTHING, differenceMs: -400 }, '0.300 s short of [24 TAPS]'],
  ['nothing beyond a near miss', { ...NOTHING, differenceMs: 401 }, null],
  [
    'no best of more than 0.3 s',
    { ...NOTHING, differenceMs: 301, bestBeforeMs: 900 },
    '0.201 s short of [24 TAPS]',
  ],
] as [string, Partial<All>, string | null][])('says %s', (_what, known, line) => {
  expect(written(known)).toBe(line)
})
