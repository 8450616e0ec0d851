import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTime } from './in-time.ts'

const TIMEOUT_MS = 1_000
const late = () => new Error('late')

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('what comes in time is passed on, and no timer is left', async () => {
  await expect(inTime(Promise.resolve('here'), TIMEOUT_MS, late)).resolves.toBe('here')
  await expect(inTime(Promise.reject(new Error('wrong')), TIMEOUT_MS, late)).rejects.toThrow('wrong')
  expect(vi.getTimerCount()).toBe(0)
})

test('what comes too late is given up, and its failure afterwards is nobody’s', async () => {
  const work = new Promise<never>((_, reject) => setTimeout(reject, 2 * TIMEOUT_MS, new Error('after all')))
  const answer = expect(inTime(work, TIMEOUT_MS, late)).rejects.toThrow('late')
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
  await answer
  await vi.advanceTimersByTimeAsync(2 * TIMEOUT_MS)
})
