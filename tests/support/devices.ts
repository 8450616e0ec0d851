import type { CDPSession } from '@playwright/test'

/**
 * Input devices that send trusted events with given times. Intervals are exact even on a busy machine.
 */

export interface Point {
  readonly x: number
  readonly y: number
}

/** Sends a press with the time `at`, in ms since the epoch, and its release. */
export type Press = (cdp: CDPSession, point: Point, at: number) => Promise<void>

const DOWN_MS = 40

export const pressWithMouse: Press = (cdp, point, at) => pressPointer(cdp, point, at, 'mouse')

export const pressWithPen: Press = (cdp, point, at) => pressPointer(cdp, point, at, 'pen')

export const pressWithFinger: Press = async (cdp, point, at) => {
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: Point[], time: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: seconds(time) })
  await Promise.all([touch('touchStart', [point], at), touch('touchEnd', [], at + DOWN_MS)])
}

export const pressSpace: Press = (cdp, _point, at) =>
  pressKey(cdp, { key: ' ', code: 'Space', text: ' ' }, at)

export const pressEnter: Press = (cdp, _point, at) =>
  pressKey(cdp, { key: 'Enter', code: 'Enter', text: '\r' }, at)

interface Key {
  readonly key: string
  readonly code: string
  readonly text: string
}

async function pressPointer(
  cdp: CDPSession,
  point: Point,
  at: number,
  pointerType: 'mouse' | 'pen',
): Promise<void> {
  const button = { ...point, button: 'left', clickCount: 1, pointerType } as const
  const send = (type: 'mousePressed' | 'mouseReleased', buttons: number, time: number) =>
    cdp.send('Input.dispatchMouseEvent', { ...button, type, buttons, timestamp: seconds(time) })
  await Promise.all([send('mousePressed', 1, at), send('mouseReleased', 0, at + DOWN_MS)])
}

async function pressKey(cdp: CDPSession, { key, code, text }: Key, at: number): Promise<void> {
  const common = { key, code, windowsVirtualKeyCode: text.charCodeAt(0) }
  await Promise.all([
    cdp.send('Input.dispatchKeyEvent', { ...common, type: 'keyDown', text, timestamp: seconds(at) }),
    cdp.send('Input.dispatchKeyEvent', { ...common, type: 'keyUp', timestamp: seconds(at + DOWN_MS) }),
  ])
}

function seconds(ms: number): number {
  return ms / 1_000
}
