import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstPaint, MAX_WAIT_MS } from './first-paint.ts'

let paint: () => void
const watched = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      observe = watched
      constructor(tell: () => void) {
        paint = tell
      }
    },
  )
})

afterEach(() => {
  vi.useRealTimers()
})

/** Whether the wait is over. */
async function isOver(wait: Promise<unknown>): Promise<boolean> {
  const still = Symbol('still')
  return (await Promise.race([wait, Promise.resolve(still)])) !== still
}

test('the wait is over when the browser has painted, also when it had before', async () => {
  const wait = firstPaint()
  expect(watched).toHaveBeenLastCalledWith({ type: 'paint', buffered: true })
  expect(await isOver(wait)).toBe(false)
  paint()
  expect(await isOver(wait)).toBe(true)
})

test('without the means to watch the wait is over with an error', async () => {
  vi.stubGlobal('PerformanceObserver', undefined)
  await expect(firstPaint()).rejects.toThrow(TypeError)
})

test('a page that is not painted, or not told of, is not waited for long', async () => {
  const wait = firstPaint()
  vi.advanceTimersByTime(MAX_WAIT_MS - 1)
  expect(await isOver(wait)).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await isOver(wait)).toBe(true)
})
