import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answer } from './api.ts'
import { backoffMs, isTransient, persist } from './retry.ts'
import { problem } from './testing/problem.ts'
import { soon } from './testing/soon.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('delays double up to 5 s, and at least half of each is waited', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 50].map(failures => backoffMs(failures, () => 1))
  const shortest = [1, 2, 3, 4, 5, 6, 7, 50].map(failures => backoffMs(failures, () => 0))
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000])
  expect(shortest).toEqual(longest.map(delay => delay / 2))
})

test('what nobody decided is tried again, what was decided is not', () => {
  expect(isTransient(problem('unavailable'))).toBe(true)
  expect(isTransient(problem('too_many_requests'))).toBe(true)
  expect(isTransient(problem('too_slow'))).toBe(true)
  expect(isTransient(problem('stale_round'))).toBe(false)
  expect(isTransient(problem('invalid_password'))).toBe(false)
})

test('a request is sent until it succeeds, and not once more', async () => {
  const answers: Answer<string>[] = [problem('unavailable'), { ok: true, body: 'done' }]
  const retries: number[] = []
  const send = async () => answers.shift() ?? problem('not_found')
  const again = persist(send, {
    tries: 5,
    again: isTransient,
    onRetry: failures => retries.push(failures),
  })
  const answer = await soon(again)
  expect(answer).toEqual({ ok: true, body: 'done' })
  expect(retries).toEqual([1])
})

test('the last of a bounded number of tries is the answer', async () => {
  let sent = 0
  const send = async () => {
    sent += 1
    return problem('unavailable')
  }
  expect(await soon(persist(send, { tries: 2, again: isTransient }))).toMatchObject({ code: 'unavailable' })
  expect(sent).toBe(2)
})

test('a request that was given up is not sent again', async () => {
  const givenUp = new AbortController()
  let sent = 0
  const send = async () => {
    sent += 1
    givenUp.abort()
    return problem('unavailable')
  }
  await persist(send, { tries: 9, again: isTransient, signal: givenUp.signal })
  expect(sent).toBe(1)
})
