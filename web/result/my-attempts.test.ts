import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attempt } from '../../contract/api.ts'
import type { MyAttemptList } from '../net/answers.ts'
import type { Answer } from '../net/api.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { later } from '../testing/later.ts'
import { problem } from '../testing/problem.ts'
import { createMyAttempts } from './my-attempts.ts'

const attempt = (id: number) => ({ id }) as Attempt
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

test('keeps an attempt recorded while an older answer was in flight', async () => {
  const answer = later<Answer<MyAttemptList>>()
  const mine = createMyAttempts({ myAttempts: () => answer.promise })
  const read = mine.refetch()
  mine.add(attempt(3), recordOf(3))
  answer.resolve(list(2, 1))
  await read
  expect(mine.attempts.get()).toEqual([attempt(3), attempt(2), attempt(1)])
})

test('takes where the hand stands from the answer that brought the newest attempt', async () => {
  const answer = later<Answer<MyAttemptList>>()
  const request = vi.fn(() => answer.promise)
  const mine = createMyAttempts({ myAttempts: request })
  const read = mine.refetch()
  mine.add(attempt(3), recordOf(8))
  answer.resolve({ ok: true, body: { attempts: [attempt(2)], record: recordOf(7) } })
  await read
  expect(mine.hand.get()).toEqual({ rounds: 8, isFresh: true })
  request.mockResolvedValue({ ok: true, body: { attempts: [attempt(3)], record: recordOf(8) } })
  await mine.refetch()
  expect(mine.hand.get(), 'read again').toEqual({ rounds: 8, isFresh: true })
  request.mockResolvedValue({ ok: true, body: { attempts: [attempt(4), attempt(3)], record: recordOf(9) } })
  await mine.refetch()
  expect(mine.hand.get(), 'played on another device').toEqual({ rounds: 9, isFresh: false })
})
