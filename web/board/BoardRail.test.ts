import { expect, test } from 'vitest'
import type { Attempt } from '../../contract/api.ts'
import { remember } from './BoardRail.tsx'

const attempt = (id: number, username = 'Ola'): Attempt => ({
  ...{ id, username, is_guest: false, target_time: 2, actual_time: 2.4, difference: 0.4, taps_added: 1 },
  ...{ claimed: false, verified: true, won_taps: null, created_at: '2026-01-01T00:00:00Z' },
})

const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ id }) => id)

test('puts the feed first, followed by older attempts', () => {
  const seen = remember([], [attempt(3), attempt(2), attempt(1)])
  expect(idsOf(remember(seen, [attempt(5), attempt(4), attempt(3)]))).toEqual([5, 4, 3, 2, 1])
})

test("prefers the feed's version of a repeated attempt", () => {
  expect(remember([attempt(1)], [attempt(1, 'Deleted player')])).toEqual([attempt(1, 'Deleted player')])
})

test('remembers 30 attempts', () => {
  const all = Array.from({ length: 40 }, (_, index) => attempt(40 - index))
  expect(idsOf(remember(all, [attempt(41)]))).toEqual(idsOf([attempt(41), ...all]).slice(0, 30))
})
