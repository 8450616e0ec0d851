import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstPaint, MAX_WAIT_MS } from './first-paint.ts'

let paint: () => void
const observe = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      observe = observe
      constructor(callback: () => void) {
        paint = callback
      }
    },
  )
})

afterEach(() => {
  vi.useRealTimers()
})

/** Returns whether the promise has resolved. */
async function hasResolved(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending
}

test('resolves when the browser paints, or has painted already', async () => {
  const promise = firstPaint()
  expect(observe).toHaveBeenLastCalledWith({ type: 'paint', buffered: true })
  expect(await hasResolved(promise)).toBe(false)
  paint()
  expect(await hasResolved(promise)).toBe(true)
})

test('rejects when the browser cannot observe paints', async () => {
  vi.stubGlobal('PerformanceObserver', undefined)
  await expect(firstPaint()).rejects.toThrow(TypeError)
})

test('resolves after a short wait when no paint is reported', async () => {
  const promise = firstPaint()
  vi.advanceTimersByTime(MAX_WAIT_MS - 1)
  expect(await hasResolved(promise)).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await hasResolved(promise)).toBe(true)
})
