import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Throttle } from './throttle.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function createThrottle(takesMs = 0) {
  const starts: number[] = []
  let running = 0
  let mostTogether = 0
  const throttle = new Throttle(100, async () => {
    starts.push(performance.now())
    running += 1
    mostTogether = Math.max(mostTogether, running)
    if (takesMs > 0) await new Promise(resolve => setTimeout(resolve, takesMs))
    running -= 1
  })
  return { throttle, starts, running: () => running, mostTogether: () => mostTogether }
}

test('runs immediately when asked after a quiet interval', async () => {
  const { throttle, starts } = createThrottle()
  throttle.ask()
  await vi.advanceTimersByTimeAsync(150)
  throttle.ask()
  expect(starts).toHaveLength(2)
})

test('runs at most once per interval when asked continuously, and once after the last request', async () => {
  const { throttle, starts } = createThrottle()
  // Stops in the middle of an interval, so that the last run must wait.
  for (let ms = 0; ms < 1_050; ms += 1) {
    throttle.ask()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(starts.length).toBeGreaterThanOrEqual(10)
  expect(starts.length).toBeLessThanOrEqual(11)
  for (const [place, start] of starts.slice(1).entries()) {
    expect(start - (starts[place] ?? 0)).toBeGreaterThanOrEqual(100)
  }
  const before = starts.length
  throttle.ask()
  await vi.advanceTimersByTimeAsync(200)
  expect(starts).toHaveLength(before + 1)
})

test('starts the next run when a run that takes longer than the interval has ended', async () => {
  const { throttle, starts, mostTogether } = createThrottle(250)
  throttle.ask()
  await vi.advanceTimersByTimeAsync(120)
  throttle.ask()
  await vi.advanceTimersByTimeAsync(1_000)
  const [first = 0, second = 0] = starts
  // Leaves a few ms to the timers; a further interval would take 350 ms.
  expect(second - first).toBeLessThan(300)
  expect(starts).toHaveLength(2)
  expect(mostTogether()).toBe(1)
})

test('closes once the run in progress has ended, starts no other run, and leaves no timer', async () => {
  const { throttle, starts, running } = createThrottle(250)
  throttle.ask()
  throttle.ask()
  const closed = throttle.close()
  expect(running()).toBe(1)
  throttle.ask()
  await vi.advanceTimersByTimeAsync(250)
  await closed
  expect(running()).toBe(0)
  expect(starts).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
  const idle = createThrottle()
  await idle.throttle.close()
  idle.throttle.ask()
  expect(idle.starts).toEqual([])
})
