import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ignoreEarlyPresses } from './early-presses.ts'

let view: EventTarget
const claimed = vi.fn()
let undo: () => void
/** Counts the changes of view. */
let views = 0

beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(10_000)
  vi.stubGlobal('HTMLInputElement', class extends EventTarget {})
  view = new EventTarget()
  views += 1
  undo = ignoreEarlyPresses(view as HTMLElement, views)
  claimed.mockReset()
  view.addEventListener('click', event => {
    if (!event.defaultPrevented) claimed()
  })
})
afterEach(() => undo())

/** Dispatches an event `afterMs` after claim mode appeared. */
function send(type: string, afterMs: number, properties: object = {}): Event {
  const event = Object.assign(new Event(type, { cancelable: true }), properties)
  Object.defineProperty(event, 'timeStamp', { value: 10_000 + afterMs })
  view.dispatchEvent(event)
  return event
}

test('ignores a tap that begins within 450 ms, however late it ends', () => {
  send('pointerdown', 449)
  send('click', 700)
  expect(claimed).not.toHaveBeenCalled()
  send('pointerdown', 1_000)
  send('click', 1_080)
  expect(claimed).toHaveBeenCalledOnce()
})

test('ignores a held Space until it is pressed again', () => {
  expect(send('keydown', 2_000, { key: ' ', repeat: true }).defaultPrevented).toBe(true)
  send('click', 2_010)
  expect(claimed).not.toHaveBeenCalled()
  expect(send('keydown', 3_000, { key: ' ', repeat: false }).defaultPrevented).toBe(false)
  send('click', 3_080)
  expect(claimed).toHaveBeenCalledOnce()
})

test('ignores Space and Enter within 450 ms, but no other key', () => {
  for (const key of [' ', 'Enter']) expect(send('keydown', 100, { key }).defaultPrevented, key).toBe(true)
  expect(send('keydown', 100, { key: 'Tab' }).defaultPrevented).toBe(false)
})

test('accepts a click that no pointer or key preceded from 450 ms on', () => {
  send('click', 449)
  expect(claimed).not.toHaveBeenCalled()
  send('click', 450)
  expect(claimed).toHaveBeenCalledOnce()
})

test('ignores no press anew when the page builds the same view again', () => {
  undo()
  vi.spyOn(performance, 'now').mockReturnValue(10_400)
  undo = ignoreEarlyPresses(view as HTMLElement, views)
  send('pointerdown', 460)
  send('click', 500)
  expect(claimed).toHaveBeenCalledOnce()
})
