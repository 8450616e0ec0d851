import { expect, test } from 'vitest'
import { backoffMs, isTransient, persist } from './retry.ts'
import { problem } from './testing/problem.ts'

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
