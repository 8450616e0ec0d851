import { beforeEach, expect, test, vi } from 'vitest'
import { watchSleep } from './sleep.ts'

let wall = 0
let page = 0
let wakeCount = 0
let watch: ReturnType<typeof watchSleep>

beforeEach(() => {
  vi.useFakeTimers()
  wall = 1_795_000_000_000
  page = 5_000
  wakeCount = 0
  vi.spyOn(Date, 'now').mockImplementation(() => wall)
  vi.spyOn(performance, 'now').mockImplementation(() => page)
  watch = watchSleep()
  watch.onWake(() => {
    wakeCount += 1
  })
  return () => void vi.useRealTimers()
})

/** Advances both clocks, as time does while the device is awake. */
function stayAwake(ms: number): void {
  wall += ms
  page += ms
}

test('reports no sleep while both clocks run, however long the time between checks', () => {
  stayAwake(7_200_000)
  expect(watch.check()).toBe(false)
  expect(wakeCount).toBe(0)
})

test('reports a sleep of the device only once', () => {
  stayAwake(1_500)
  wall += 30_000
  expect(watch.check()).toBe(true)
  expect(watch.check()).toBe(false)
  expect(wakeCount).toBe(1)
})

test('reports a sleep even without a call to `check`', () => {
  wall += 30_000
  vi.advanceTimersToNextTimer()
  expect(wakeCount).toBe(1)
  expect(watch.check()).toBe(false)
})

test('reports no sleep when the wall clock is corrected a little or set back', () => {
  for (const correction of [30, -30, 999, -3_600_000]) {
    wall += correction
    expect(watch.check()).toBe(false)
  }
  expect(wakeCount).toBe(0)
})
