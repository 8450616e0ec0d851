import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat } from './repeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** What is repeated, with when it began, ms since the start. */
function repeated(firstMs: number, intervalMs: number, takesMs = 0) {
  const start = performance.now()
  const began: number[] = []
  let ended = 0
  const stop = repeat(firstMs, intervalMs, async () => {
    began.push(performance.now() - start)
    if (takesMs > 0) await new Promise(resolve => setTimeout(resolve, takesMs))
    ended += 1
  })
  return { began, stop, ended: () => ended }
}

test('an act is repeated after each pause', async () => {
  const { began } = repeated(10, 100)
  await vi.advanceTimersByTimeAsync(250)
  expect(began).toEqual([10, 110, 210])
})

test('one that takes long takes no more than a fiftieth of the time', async () => {
  const { began } = repeated(0, 100, 20)
  await vi.advanceTimersByTimeAsync(1_100)
  expect(began).toEqual([0, 1_020])
})

test('it ends when it is told to, after the one under way', async () => {
  const { began, stop, ended } = repeated(0, 100, 20)
  await vi.advanceTimersByTimeAsync(10)
  const stopped = stop().then(ended)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await stopped).toBe(1)
  expect(began).toEqual([0])
})
