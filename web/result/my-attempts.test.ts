import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attempt } from '../../contract/api.ts'
import { HAND_SIZE, MY_ATTEMPTS } from '../../contract/rules.ts'
import type { MyAttemptList } from '../net/answers.ts'
import type { Answer } from '../net/api.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { later } from '../testing/later.ts'
import { problem } from '../testing/problem.ts'
import { createMyAttempts } from './my-attempts.ts'

const attempt = (id: number) => ({ id, username: 'ola', difference: 0.12, verified: true }) as Attempt
const recordOf = (rounds: number) => ({ rounds, best: 0.02, streak: 0 })
const list = (...ids: number[]): Answer<MyAttemptList> => ({
  ok: true,
  body: { attempts: ids.map(attempt), record: recordOf(ids[0] ?? 0) },
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('shows no attempt of an earlier player, even when the request for the new player fails', async () => {
  const request = vi.fn<() => Promise<Answer<MyAttemptList>>>(async () => list(2, 1))
  const mine = createMyAttempts({ myAttempts: request })
  request.mockResolvedValueOnce(problem('unavailable'))
  await afterTimers(mine.refetch())
  expect(mine.attempts.get(), 'requested again').toEqual([attempt(2), attempt(1)])
  request.mockResolvedValueOnce(list())
  await mine.refetch()
  expect(mine.attempts.get(), 'after a change in another tab').toEqual([])
  await mine.refetch()
  request.mockResolvedValue(problem('unavailable'))
  await afterTimers(mine.renew())
  expect(mine.attempts.get()).toEqual([])
})

test('knows whether there are no attempts, and keeps the last ones in view until those of another player arrive', async () => {
  const request = vi.fn<() => Promise<Answer<MyAttemptList>>>(async () => list())
  const mine = createMyAttempts({ myAttempts: request })
  expect(mine.isKnown.get()).toBe(false)
  await mine.refetch()
  expect(mine.isKnown.get()).toBe(true)
  mine.add(attempt(1), recordOf(1))
  const answer = later<Answer<MyAttemptList>>()
  request.mockReturnValueOnce(answer.promise)
  const renewal = mine.renew()
  expect(mine.attempts.get()).toEqual([attempt(1)])
  answer.resolve(list(3, 2))
  await renewal
  expect(mine.attempts.get()).toEqual([attempt(3), attempt(2)])
  request.mockResolvedValue(problem('unavailable'))
  await afterTimers(mine.renew())
  expect(mine.isKnown.get()).toBe(false)
})

/** Returns attempts of which the last two are known, and a function that answers the next request. */
async function rigAfterTwo() {
  const request = vi.fn<() => Promise<Answer<MyAttemptList>>>(async () => list(2, 1))
  const mine = createMyAttempts({ myAttempts: request })
  await mine.refetch()
  const answer = later<Answer<MyAttemptList>>()
  request.mockReturnValueOnce(answer.promise)
  return { mine, request, answer: answer.resolve }
}

test('keeps an attempt recorded while an older answer was in flight, and where the hand stands', async () => {
  const { mine, answer } = await rigAfterTwo()
  const read = mine.refetch()
  mine.add(attempt(3), recordOf(3))
  answer(list(2, 1))
  await read
  expect(mine.attempts.get()).toEqual([attempt(3), attempt(2), attempt(1)])
  expect(mine.hand.get()).toEqual({ rounds: 3, isFresh: true })
})

test('reads all attempts before it says where the hand stands, after rounds on another device', async () => {
  const { mine, request, answer } = await rigAfterTwo()
  mine.add(attempt(3), recordOf(3))
  expect(request).toHaveBeenCalledTimes(1)
  mine.add(attempt(5), recordOf(5))
  expect(request).toHaveBeenCalledTimes(2)
  expect(mine.hand.get()).toEqual({ rounds: null, isFresh: true })
  answer(list(5, 4, 3, 2, 1))
  await afterTimers(Promise.resolve())
  expect(mine.attempts.get().map(({ id }) => id)).toEqual([5, 4, 3, 2, 1])
  expect(mine.hand.get(), 'the end of the hand can be announced').toEqual({ rounds: 5, isFresh: true })
})

test('a reload or a round on another device does not make the end of a hand new', async () => {
  const { mine, request, answer } = await rigAfterTwo()
  answer(list(2, 1))
  await mine.refetch()
  expect(mine.hand.get()).toEqual({ rounds: 2, isFresh: false })
  mine.add(attempt(3), recordOf(3))
  request.mockResolvedValue(list(3, 2, 1))
  await mine.refetch()
  expect(mine.hand.get(), 'read again').toEqual({ rounds: 3, isFresh: true })
  request.mockResolvedValue(list(4, 3, 2, 1))
  await mine.refetch()
  expect(mine.hand.get(), 'played on another device').toEqual({ rounds: 4, isFresh: false })
})

test('remembers a hand whose attempts have left the list', async () => {
  const { mine, answer } = await rigAfterTwo()
  answer(list())
  await mine.refetch()
  for (let id = 1; id <= MY_ATTEMPTS + HAND_SIZE; id += 1) mine.add(attempt(id), recordOf(id))
  expect(mine.hands.get().at(-1)).toEqual({ id: 5, username: 'ola', averageMs: 120 })
  expect(mine.hands.get()).toHaveLength(MY_ATTEMPTS / HAND_SIZE + 1)
})
