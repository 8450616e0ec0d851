import { expect, test } from 'vitest'
import type { Against } from '../round/against.ts'
import type { HandEnd } from './hand-end.ts'
import { isEvent, type Known, secondLine } from './second-line.ts'

type All = Omit<Known, 'against'> & Against

const HAND: HandEnd = { id: 5, averages: { nowMs: 142, beforeMs: 201 }, dare: null, place: 3 }
const HAND_DARE = { kind: 'hand', by: 'mira', differenceMs: 162 } as const

/** A recorded near miss about which everything is known that a line could say. */
const ALL: All = {
  ...{ message: 'Not verified', isSending: true, isRecorded: true, differenceMs: 141, won: null },
  poolAtStop: { taps: 23, last_win: null },
  taker: { username: 'mira', is_guest: true, won_taps: 1_284, created_at: '2026-01-01T00:00:00Z' },
  dare: { kind: 'result', by: 'ola', differenceMs: 186 },
  bestBeforeMs: 150,
  handEnd: HAND,
}
const NOTHING: Partial<All> = {
  message: null,
  isSending: false,
  taker: null,
  dare: null,
  bestBeforeMs: null,
  handEnd: null,
}
const written = (part: Partial<All>) => {
  const known = { ...ALL, ...part }
  const line = secondLine({ ...known, against: known })
  return line?.pieces.map(({ text, kind }) => (kind ? `[${text}]` : text)).join('') ?? null
}

test('says the most important thing that is known about a result, and what matters in large text', () => {
  const ranks: [Partial<All>, string | null, boolean][] = [
    [{}, 'Not verified', false],
    [{ message: null }, 'Sending…', false],
    [{ isSending: false }, '[mira] just took the [1,284 TAPS]', false],
    [{ taker: null }, 'You beat [ola] by 0.045 s', true],
    [{ dare: { kind: 'result', by: 'ola', differenceMs: 141 } }, '0.142 s average, 3rd today', true],
    [{ handEnd: null }, 'As close as [ola]', true],
    [{ dare: { kind: 'result', by: 'ola', differenceMs: 56 } }, 'Your best yet', true],
    [{ bestBeforeMs: 141 }, '[ola] was 0.085 s closer', false],
    [{ dare: null }, '0.041 s short of [24 TAPS]', false],
    [{ poolAtStop: null }, null, false],
  ]
  let known: Partial<All> = {}
  for (const [less, line, isLarge] of ranks) {
    known = { ...known, ...less }
    expect(written(known)).toBe(line)
    const all = { ...ALL, ...known }
    const shown = secondLine({ ...all, against: all })
    expect(shown !== null && isEvent(shown), `${line}`).toBe(isLarge)
  }
})

test.each([
  ['the place', {}, '0.142 s average, 3rd today'],
  ['that it beats the hand before', { place: null }, '0.142 s average, better than 0.201 s'],
  ['the average alone while the place may come', { place: 'open' }, '0.142 s average'],
  [
    'the average alone after a better hand',
    { place: null, averages: { nowMs: 142, beforeMs: 142 } },
    '0.142 s average',
  ],
  [
    'the average alone of the first hand',
    { place: null, averages: { nowMs: 142, beforeMs: null } },
    '0.142 s average',
  ],
  ['a dare in the place of all that', { dare: HAND_DARE }, '0.142 s average, you beat [mira] by 0.020 s'],
] as [string, Partial<HandEnd>, string][])('says at the end of a hand %s', (_what, part, line) => {
  expect(written({ ...NOTHING, handEnd: { ...HAND, ...part } })).toBe(line)
})

test('says the end of a hand after a win, and for a result with which nothing is compared', () => {
  expect(written({ ...NOTHING, won: 24, taker: ALL.taker, handEnd: HAND })).toBe('0.142 s average, 3rd today')
  const { won, ...known } = { ...ALL, ...NOTHING, handEnd: HAND }
  expect(secondLine({ ...known, won, against: null })?.about).toBe('hand')
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
  ['nothing about fewer than 5 TAPS', { ...NOTHING, poolAtStop: { taps: 3, last_win: null } }, null],
  ['a miss of 5 TAPS', { ...NOTHING, poolAtStop: { taps: 4, last_win: null } }, '0.041 s short of [5 TAPS]'],
  ['nothing beyond a near miss', { ...NOTHING, differenceMs: 401 }, null],
  [
    'no best of more than 0.3 s',
    { ...NOTHING, differenceMs: 301, bestBeforeMs: 900 },
    '0.201 s short of [24 TAPS]',
  ],
] as [string, Partial<All>, string | null][])('says %s', (_what, known, line) => {
  expect(written(known)).toBe(line)
})
