import { expect, test } from 'vitest'
import { ATTEMPT } from '../testing/game.ts'
import { remember } from './BoardRail.tsx'

const attempts = (...ids: number[]) => ids.map(id => ({ ...ATTEMPT, id }))

test('puts the feed first, in its own version, followed by older attempts, 30 in all', () => {
  const seen = remember(attempts(2, 1), attempts(3, 2))
  expect(seen.map(({ id }) => id)).toEqual([3, 2, 1])
  const masked = { ...ATTEMPT, id: 3, username: 'Deleted player' }
  expect(remember(seen, [masked])[0]).toBe(masked)
  const many = Array.from({ length: 40 }, (_, index) => 40 - index)
  expect(remember(attempts(...many), attempts(41))).toEqual(attempts(41, ...many.slice(0, 29)))
})
