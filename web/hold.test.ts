import { expect, test } from 'vitest'
import { ENDED_SHOWN_MS, hasJustEnded } from './hold.ts'

test('a hold has just ended from its end on, for five seconds', () => {
  const hold = { taps: 24, endsAt: 60_000 }
  const at = [59_999, 60_000, 60_000 + ENDED_SHOWN_MS - 1, 60_000 + ENDED_SHOWN_MS]
  expect(at.map(now => hasJustEnded(hold, now))).toEqual([false, true, true, false])
})
