import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attempt, AttemptList } from '../../contract/api.ts'
import type { Answer } from '../net/api.ts'
import { afterTimers } from '../testing/after-timers.ts'
import { later } from '../testing/later.ts'
import { problem } from '../testing/problem.ts'
import { createMyAttempts } from './my-attempts.ts'

const attempt = (id: number) => ({ id }) as Attempt
const list = (...ids: number[]): Answer<AttemptList> => ({
  ok: true,
  body: { attempts: ids.map(attempt) },
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('empties the list for a new player, even when the request fails', async () => {
  const request = vi.fn(async () => list(2, 1))
  const mine = createMyAttempts({ myAttempts: request })
  await mine.refetch()
  expect(mine.attempts.get()).toEqual([attempt(2), attempt(1)])
  request.mockResolvedValue(problem('unavailable') as never)
  await afterTimers(mine.renew())
  expect(mine.attempts.get()).toEqual([])
})

test('requests the list again when its answer is lost', async () => {
  const request = vi.fn(async () => list(2, 1)).mockResolvedValueOnce(problem('unavailable') as never)
  const mine = createMyAttempts({ myAttempts: request })
  await afterTimers(mine.renew())
  expect(mine.attempts.get()).toEqual([attempt(2), attempt(1)])
})

test('keeps an attempt recorded while an older answer was in flight', async () => {
  const answer = later<Answer<AttemptList>>()
  const mine = createMyAttempts({ myAttempts: () => answer.promise })
  const read = mine.refetch()
  mine.add(attempt(3))
  answer.resolve(list(2, 1))
  await read
  expect(mine.attempts.get()).toEqual([attempt(3), attempt(2), attempt(1)])
})

test("drops the previous player's attempts after a change in another tab", async () => {
  const request = vi.fn(async () => list(2, 1))
  const mine = createMyAttempts({ myAttempts: request })
  await mine.refetch()
  request.mockResolvedValue(list())
  await mine.refetch()
  expect(mine.attempts.get()).toEqual([])
})
