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

test('resolves when the browser paints, or has painted already', async () => {
  const wait = firstPaint()
  expect(watched).toHaveBeenLastCalledWith({ type: 'paint', buffered: true })
  expect(await isOver(wait)).toBe(false)
  paint()
  expect(await isOver(wait)).toBe(true)
})

test('rejects when the browser cannot observe paints', async () => {
  vi.stubGlobal('PerformanceObserver', undefined)
  await expect(firstPaint()).rejects.toThrow(TypeError)
})

test('resolves after a short wait when no paint is reported', async () => {
  const wait = firstPaint()
  vi.advanceTimersByTime(MAX_WAIT_MS - 1)
  expect(await isOver(wait)).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await isOver(wait)).toBe(true)
})
