import { afterEach, expect, test, vi } from 'vitest'
import { problem } from '../testing/problem.ts'
import { backoffMs, isTransient, persist } from './retry.ts'

afterEach(() => void vi.useRealTimers())

test('doubles the delay up to 5 s, and waits for at least half of the delay', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1)
  const longest = [1, 2, 3, 4, 5, 6, 7, 50].map(failures => backoffMs(failures))
  random.mockReturnValue(0)
  const shortest = [1, 2, 3, 4, 5, 6, 7, 50].map(failures => backoffMs(failures))
  expect(longest).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000])
  expect(shortest).toEqual(longest.map(delay => delay / 2))
})

test('treats a problem as transient only if the same request may succeed later', () => {
  expect(isTransient(problem('unavailable'))).toBe(true)
  expect(isTransient(problem('too_many_requests'))).toBe(true)
  expect(isTransient(problem('too_slow'))).toBe(true)
  expect(isTransient(problem('stale_round'))).toBe(false)
  expect(isTransient(problem('invalid_password'))).toBe(false)
})

test('neither reports nor sends again a request that was aborted in flight', async () => {
  const controller = new AbortController()
  let sent = 0
  const send = async () => {
    sent += 1
    controller.abort()
    return problem('unavailable')
  }
  const onRetry = vi.fn()
  await persist(send, { tries: 9, shouldRetry: isTransient, onRetry, signal: controller.signal })
  expect(sent).toBe(1)
  expect(onRetry).not.toHaveBeenCalled()
})

test('ends the pause before a retry when aborted', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  const send = vi.fn(async () => ({ ...problem('unavailable'), retryAfterMs: 20_000 }))
  const persisted = persist(send, { tries: 9, shouldRetry: isTransient, signal: controller.signal })
  await vi.advanceTimersByTimeAsync(1_000)
  controller.abort()
  expect(await persisted).toMatchObject({ code: 'unavailable' })
  expect(send).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

test('waits as long as the server asks, or until the network is back', async () => {
  vi.useFakeTimers()
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  const send = vi.fn(async () => ({ ...problem('unavailable'), retryAfterMs: 20_000 }))
  void persist(send, { tries: 3, shouldRetry: isTransient })
  await vi.advanceTimersByTimeAsync(19_999)
  expect(send).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(send).toHaveBeenCalledTimes(2)
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(send).toHaveBeenCalledTimes(3)
})

test('waits for a minute at most, even if a proxy asks for longer', async () => {
  vi.useFakeTimers()
  const send = vi.fn(async () => ({ ...problem('unavailable'), retryAfterMs: 86_400_000 }))
  void persist(send, { tries: 2, shouldRetry: isTransient })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(send).toHaveBeenCalledTimes(2)
})
