import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pacer } from './pacer.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function counted(takesMs = 0) {
  const starts: number[] = []
  let running = 0
  let mostAtOnce = 0
  const pacer = new Pacer(100, async () => {
    starts.push(performance.now())
    running += 1
    mostAtOnce = Math.max(mostAtOnce, running)
    if (takesMs > 0) await new Promise(resolve => setTimeout(resolve, takesMs))
    running -= 1
  })
  return { pacer, starts, mostAtOnce: () => mostAtOnce }
}

test('the first ask is answered at once', () => {
  const { pacer, starts } = counted()
  pacer.ask()
  expect(starts).toHaveLength(1)
})

test('asks within an interval become one act at its end', async () => {
  const { pacer, starts } = counted()
  pacer.ask()
  for (let n = 0; n < 50; n += 1) pacer.ask()
  await vi.advanceTimersByTimeAsync(99)
  expect(starts).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(starts).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(starts).toHaveLength(2)
})

test('after a quiet interval the next ask is answered at once again', async () => {
  const { pacer, starts } = counted()
  pacer.ask()
  await vi.advanceTimersByTimeAsync(150)
  pacer.ask()
  expect(starts).toHaveLength(2)
})

test('under a flood it acts ten times a second, the last ask included', async () => {
  const { pacer, starts } = counted()
  for (let ms = 0; ms < 1_000; ms += 1) {
    pacer.ask()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(starts.length).toBeGreaterThanOrEqual(10)
  expect(starts.length).toBeLessThanOrEqual(11)
  for (const [place, start] of starts.slice(1).entries()) {
    expect(start - (starts[place] ?? 0)).toBeGreaterThanOrEqual(100)
  }
  const before = starts.length
  pacer.ask()
  await vi.advanceTimersByTimeAsync(200)
  expect(starts).toHaveLength(before + 1)
})

test('an act that takes longer than the interval is never run twice at the same time', async () => {
  const { pacer, starts, mostAtOnce } = counted(250)
  pacer.ask()
  await vi.advanceTimersByTimeAsync(120)
  pacer.ask()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(starts).toHaveLength(2)
  expect(mostAtOnce()).toBe(1)
})

test('once closed it acts no more', async () => {
  const { pacer, starts } = counted()
  pacer.ask()
  pacer.ask()
  pacer.close()
  pacer.ask()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(starts).toHaveLength(1)
})
