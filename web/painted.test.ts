import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { firstPaint, PATIENCE_MS } from './painted.ts'

let paint: () => void
const watched = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      observe = watched
      disconnect = vi.fn()
      constructor(tell: () => void) {
        paint = tell
      }
    },
  )
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Whether the wait is over. */
async function isOver(wait: Promise<void>): Promise<boolean> {
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

test('a page that nobody looks at waits for no paint', async () => {
  vi.stubGlobal('document', { hidden: true })
  expect(await isOver(firstPaint())).toBe(true)
})

test('a browser that does not tell is not waited for long', async () => {
  const wait = firstPaint()
  vi.advanceTimersByTime(PATIENCE_MS - 1)
  expect(await isOver(wait)).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await isOver(wait)).toBe(true)
})
