import { expect, test } from 'vitest'
import type { Dare } from '../round/against.ts'
import { endsDare, handTail, invitation, resultLine } from './dare-line.ts'
import type { Piece } from './piece.ts'

const written = (pieces: readonly Piece[]) =>
  pieces.map(({ text, kind }) => (kind ? `[${text}]` : text)).join('')
const dare = (differenceMs: number, kind: Dare['kind'] = 'result'): Dare => ({
  kind,
  differenceMs,
  by: 'mira',
})

test.each([
  [dare(130), '[mira] was 0.130 s off the target. Closer?'],
  [dare(0), '[mira] hit it exactly. You too?'],
  [dare(142, 'hand'), "[mira]'s five: 0.142 s average. Closer?"],
])('invites to beat %j', (given, line) => {
  expect(written(invitation(given))).toBe(line)
})

test.each([
  [130, 85, 'You beat [mira] by 0.045 s', ', you beat [mira] by 0.045 s', true],
  [130, 129, 'You beat [mira] by 0.001 s', ', you beat [mira] by 0.001 s', true],
  [130, 130, 'As close as [mira]', ', as close as [mira]', false],
  [130, 150, '[mira] was 0.020 s closer', ', [mira] was 0.020 s closer', false],
  [130, 0, 'You beat [mira] by 0.130 s', ', you beat [mira] by 0.130 s', true],
  [0, 0, 'You hit it exactly too', ', as close as [mira]', true],
  [0, 1, '[mira] was 0.001 s closer', ', [mira] was 0.001 s closer', false],
])(
  'compares a dare of %i ms with %i ms, and says whether it ends',
  (differenceMs, distanceMs, line, tail, ends) => {
    expect(written(resultLine(dare(differenceMs), distanceMs))).toBe(line)
    expect(written(handTail(dare(differenceMs, 'hand'), distanceMs))).toBe(tail)
    expect(endsDare(dare(differenceMs), distanceMs)).toBe(ends)
  },
)
