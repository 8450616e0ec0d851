import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problem } from '../testing/problem.ts'
import { backoffMs, isTransient, persist } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns a request that a busy server refuses and asks to repeat after some time. */
const refusedFor = (retryAfterMs: number) => vi.fn(async () => ({ ...problem('unavailable'), retryAfterMs }))

test('doubles the delay up to 5 s, and waits for at least half of the delay', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1)
  const longest = [1, 2, 3, 4, 5, 6, 7, 50].map(failures => backoffMs(failures))
  random.mockReturnValue(0)
  const shortest = [1, 2, 3, 4, 5, 6, 7, 50].map(failures => backoffMs(failures))
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000])
  expect(shortest).toEqual(longest.map(delay => delay / 2))
})

test('treats a problem as transient only if the same request may succeed later', () => {
  const codes = ['unavailable', 'too_many_requests', 'too_slow', 'stale_round', 'invalid_password'] as const
  expect(codes.map(code => isTransient(problem(code)))).toEqual([true, true, true, false, false])
})

test.each([
  ['in flight, neither reporting nor sending it again', 0, 0],
  ['during the pause before a retry', 1_000, 1],
])('ends a request that is aborted %s', async (_when, afterMs, reports) => {
  const controller = new AbortController()
  const send = refusedFor(20_000)
  const onRetry = vi.fn()
  const ended = persist(send, { tries: 9, shouldRetry: isTransient, onRetry, signal: controller.signal })
  if (afterMs > 0) await vi.advanceTimersByTimeAsync(afterMs)
  controller.abort()
  expect(await ended).toMatchObject({ code: 'unavailable' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(send).toHaveBeenCalledOnce()
  expect(onRetry).toHaveBeenCalledTimes(reports)
})

test('waits as long as the server asks, but for a minute at most, or until the network is back', async () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  const send = refusedFor(20_000)
  void persist(send, { tries: 3, shouldRetry: isTransient })
  await vi.advanceTimersByTimeAsync(19_999)
  expect(send).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(send).toHaveBeenCalledTimes(2)
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(send).toHaveBeenCalledTimes(3)

  const patient = refusedFor(86_400_000)
  void persist(patient, { tries: 2, shouldRetry: isTransient })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(patient).toHaveBeenCalledTimes(2)
})
