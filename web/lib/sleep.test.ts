import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchSleep } from './sleep.ts'

let wall = 1_795_000_000_000
let page = 5_000

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Date, 'now').mockImplementation(() => wall)
  vi.spyOn(performance, 'now').mockImplementation(() => page)
})
afterEach(() => void vi.useRealTimers())

function watch() {
  const onWake = vi.fn()
  const { check, onWake: listen } = watchSleep()
  listen(onWake)
  return { check, onWake }
}

test('reports no sleep while both clocks run, nor when the wall clock is corrected a little or set back', () => {
  const { check, onWake } = watch()
  wall += 7_200_000
  page += 7_200_000
  expect(check()).toBe(false)
  for (const correction of [30, -30, 999, -3_600_000]) {
    wall += correction
    expect(check()).toBe(false)
  }
  expect(onWake).not.toHaveBeenCalled()
})

test.each([
  ['at a press', (check: () => boolean) => check()],
  ['without a press', () => vi.advanceTimersToNextTimer()],
])('reports a sleep of the device once, %s', (_when, look) => {
  const { check, onWake } = watch()
  wall += 30_000
  look(check)
  expect(onWake).toHaveBeenCalledOnce()
  expect(check()).toBe(false)
})
