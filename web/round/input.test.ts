import { expect, test, vi } from 'vitest'
import { clickPlays, type Focus, instantOf, isHeld, type Key, keyPlays, pointerPlays } from './input.ts'

const SPACE: Key = { key: ' ', code: 'Space', repeat: false, ctrlKey: false, altKey: false, metaKey: false }
const ENTER: Key = { ...SPACE, key: 'Enter', code: 'Enter' }

test.each([
  [true, 'the primary button of a mouse, a touch or a pen', 0, false],
  [false, 'the right button', 2, false],
  [false, 'a Ctrl-click, the right click of a Mac', 0, true],
])('pointerPlays returns %s for %s', (plays, _press, button, ctrlKey) => {
  expect(pointerPlays({ button, ctrlKey })).toBe(plays)
})

test.each<[verdict: ReturnType<typeof keyPlays>, press: string, key: Key, focus: Focus]>([
  ['play', 'Space on the button', SPACE, 'button'],
  ['play', 'Enter on the button', ENTER, 'button'],
  ['play', 'Space on the page', SPACE, 'page'],
  ['ignore', 'Enter on the page', ENTER, 'page'],
  ['ignore', 'Space on another element', SPACE, 'other'],
  ['ignore', 'Enter on another element', ENTER, 'other'],
  ['swallow', 'a held Space, which would scroll', { ...SPACE, repeat: true }, 'page'],
  ['swallow', 'a held Enter', { ...ENTER, repeat: true }, 'button'],
  ['ignore', 'Ctrl and Space', { ...SPACE, ctrlKey: true }, 'page'],
  ['ignore', 'Alt and Space', { ...SPACE, altKey: true }, 'page'],
  ['ignore', 'Meta and Space', { ...SPACE, metaKey: true }, 'page'],
  ['swallow', 'Ctrl and Space on the button, which would click', { ...SPACE, ctrlKey: true }, 'button'],
  ['swallow', 'Ctrl and Enter on the button, which would click', { ...ENTER, ctrlKey: true }, 'button'],
  [
    'ignore',
    'Ctrl and any other key on the button',
    { ...SPACE, key: 'r', code: 'KeyR', ctrlKey: true },
    'button',
  ],
  ['ignore', 'any other key', { ...SPACE, key: 'a', code: 'KeyA' }, 'button'],
])('keyPlays returns "%s" for %s', (verdict, _press, key, focus) => {
  expect(keyPlays(key, focus)).toBe(verdict)
})

test('plays a click only when no pointer or key preceded it, as from a screen reader', () => {
  expect(clickPlays({ detail: 0, pointerType: 'mouse' })).toBe(true)
  expect(clickPlays({ detail: 1, pointerType: '' }), 'in Firefox').toBe(true)
  expect(clickPlays({ detail: 2, pointerType: 'touch' })).toBe(false)
})

test.each([
  ['a stamp of a press that a busy page received late', 8_000, 8_000],
  ['a stamp ahead, as of a test', 10_400, 10_400],
  ['a stamp more than two seconds back', 7_999, 10_000],
  ['a stamp five minutes back, as after a resume', -290_000, 10_000],
  ['a stamp of 0, as of a web view', 0, 10_000],
  ['a stamp that is no number', Number.NaN, 10_000],
])('an event with %s happened at the stamp, unless the stamp is wrong', (_stamp, timeStamp, instant) => {
  vi.spyOn(performance, 'now').mockReturnValue(10_000)
  expect(instantOf({ timeStamp })).toBe(instant)
})

test.each([
  [true, 'pressed right after its release, as by a remote desktop', 1_000],
  [true, 'pressed 29 ms after its release', 1_029],
  [false, 'pressed 30 ms after its release', 1_030],
  [false, 'pressed before its release, which had a wrong stamp', 999],
])('isHeld returns %s for a key that was %s', (held, _press, pressedAt) => {
  expect(isHeld(1_000, pressedAt)).toBe(held)
})
