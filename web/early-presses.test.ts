import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ignoreEarlyPresses } from './early-presses.ts'

let place: EventTarget
const claimed = vi.fn()
let undo: () => void

beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(10_000)
  vi.stubGlobal('HTMLInputElement', class extends EventTarget {})
  place = new EventTarget()
  undo = ignoreEarlyPresses(place as HTMLElement)
  claimed.mockReset()
  place.addEventListener('click', event => {
    if (!event.defaultPrevented) claimed()
  })
})
afterEach(() => undo())

/** An event this long after claim mode came. */
function send(type: string, afterMs: number, more: object = {}): Event {
  const event = Object.assign(new Event(type, { cancelable: true }), more)
  Object.defineProperty(event, 'timeStamp', { value: 10_000 + afterMs })
  place.dispatchEvent(event)
  return event
}

test('a tap that goes down within 450 ms does nothing, however late it goes up', () => {
  send('pointerdown', 449)
  send('click', 700)
  expect(claimed).not.toHaveBeenCalled()
  send('pointerdown', 1_000)
  send('click', 1_080)
  expect(claimed).toHaveBeenCalledOnce()
})

test('a tap after 450 ms counts', () => {
  send('pointerdown', 450)
  send('click', 500)
  expect(claimed).toHaveBeenCalledOnce()
})

test('Space that is held does nothing until it goes down anew', () => {
  expect(send('keydown', 2_000, { key: ' ', repeat: true }).defaultPrevented).toBe(true)
  send('click', 2_010)
  expect(claimed).not.toHaveBeenCalled()
  expect(send('keydown', 3_000, { key: ' ', repeat: false }).defaultPrevented).toBe(false)
  send('click', 3_080)
  expect(claimed).toHaveBeenCalledOnce()
})

test('Space and Enter within 450 ms do nothing, other keys are left alone', () => {
  for (const key of [' ', 'Enter']) expect(send('keydown', 100, { key }).defaultPrevented, key).toBe(true)
  expect(send('keydown', 100, { key: 'Tab' }).defaultPrevented).toBe(false)
})

test('a click that neither a pointer nor a key came before counts after 450 ms', () => {
  send('click', 449)
  expect(claimed).not.toHaveBeenCalled()
  send('click', 451)
  expect(claimed).toHaveBeenCalledOnce()
})
