import { expect, test } from 'vitest'
import { stopped } from '../round/round.ts'
import { shareText } from './share.ts'

test.each([
  [3_248, null, [38, 700], 24, ['TAPS 3.25 s for 3.21 s', '🟫🟩 best 0.038 s', 'Pool: 24 TAPS. Closer?']],
  [3_410, null, [], 1_284, ['TAPS 3.41 s for 3.21 s', '⬜ best 0.200 s', 'Pool: 1,284 TAPS. Closer?']],
  [3_248, null, [], null, ['TAPS 3.25 s for 3.21 s', '🟩 best 0.038 s', 'Closer?']],
  [3_210, 48, [400, 90, -2_000], 0, ['TAPS 3.21 s for 3.21 s', '🟥🟦🟧🟨 best 0.000 s', 'won 48. Closer?']],
  [
    ...[2_410, 48, [-800, 250, 90, 12, 3, 1], 2],
    ['TAPS 2.41 s for 3.21 s', '🟩🟩🟦⬜🟫 best 0.001 s', 'won 48. Pool: 2 TAPS. Closer?'],
  ],
] as [number, number | null, number[], number | null, string[]][])(
  'writes three lines for a stop at %i ms: won %j, earlier differences %j, pool %j',
  (actualMs, won, before, pool, lines) => {
    expect(shareText(stopped(3_210, actualMs), won, before, pool).split('\n')).toEqual(lines)
  },
)
