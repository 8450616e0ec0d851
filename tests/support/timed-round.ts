import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Locator } from '@playwright/test'
import { START_DEBOUNCE_MS } from '../../contract/rules.ts'
import { type Point, type Press, pressWithMouse } from './devices.ts'

/** Returns the time in ms since the epoch, with fractions. */
const now = () => performance.timeOrigin + performance.now()

/**
 * Presses twice in real time. Each event carries the time at which the press is sent.
 *
 * @param intervalMs - At least `STOP_DEBOUNCE_MS`.
 * @returns the true duration: the ms between the two events
 */
export async function pressTwice(
  cdp: CDPSession,
  point: Point,
  intervalMs: number,
  device: Press = pressWithMouse,
): Promise<number> {
  const startAt = now()
  const started = device(cdp, point, startAt)
  await wait(intervalMs)
  const stopAt = now()
  await Promise.all([started, device(cdp, point, stopAt)])
  // Waits, because the page ignores presses during the debounce.
  await wait(START_DEBOUNCE_MS)
  return stopAt - startAt
}

export async function middleOf(button: Locator): Promise<Point> {
  // A button that gives way to another while it is measured has no box; then the other one has.
  const box = (await button.boundingBox()) ?? (await button.boundingBox())
  if (box === null) throw new Error('There is no button to press')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Blocks the main thread of a page for 50 ms at a time, with pauses of 10 ms. */
export const BLOCK_MAIN_THREAD = `(function block() {
  const until = performance.now() + 50
  while (performance.now() < until);
  setTimeout(block, 10)
})()`
