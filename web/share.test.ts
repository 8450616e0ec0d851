import { expect, test } from 'vitest'
import { stopped } from './round.ts'
import { shareText } from './share.ts'

test.each([
  [3_248, [38, 700], 'I stopped at 3.25 s for a target of 3.21 s, 0.038 s off. 🟫🟩 best 0.038 s.'],
  [3_248, [], 'I stopped at 3.25 s for a target of 3.21 s, 0.038 s off. 🟩 best 0.038 s.'],
  [
    3_210,
    [400, 90, -2_000],
    'I stopped at 3.21 s for a target of 3.21 s, perfect, to the millisecond. 🟥🟦🟧🟨 best 0.000 s.',
  ],
  [
    2_410,
    [-800, 250, 90, 12, 3, 1],
    'I stopped at 2.41 s for a target of 3.21 s, 0.800 s off. 🟩🟩🟦⬜🟫 best 0.001 s.',
  ],
])('a stop at %i ms after %j is one line', (actualMs, before, line) => {
  expect(shareText(stopped(3_210, actualMs), before)).toBe(`${line} Can you come closer in TAPS?`)
})
