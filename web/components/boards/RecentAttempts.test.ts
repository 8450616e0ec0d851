import { expect, test } from 'vitest'
import { ATTEMPT } from '../../testing/game.ts'
import { pushedOut } from './RecentAttempts.tsx'

const feed = (...ids: number[]) => ids.map(id => ({ ...ATTEMPT, id }))

test.each([
  [
    'the oldest attempts, once newer ones take their places',
    feed(5, 4, 3, 2, 1),
    feed(7, 6, 5, 4, 3),
    [2, 1],
  ],
  [
    'no attempt that was deleted, while an older one takes its place',
    feed(6, 5, 4, 3, 2),
    feed(6, 5, 3, 2, 1),
    [],
  ],
  ['no attempt that was deleted from a feed with empty places', feed(3, 2, 1), feed(3, 1), []],
  ['only the oldest, when one is deleted and another added', feed(5, 4, 3, 2, 1), feed(7, 6, 5, 3, 2), [1]],
  ['no attempt that a restore has undone', feed(9, 8, 7, 6, 5), feed(4, 3, 2, 1), []],
])('pushes out %s', (_what, before, now, ids) => {
  expect(pushedOut(before, now).map(({ id }) => id)).toEqual(ids)
})
