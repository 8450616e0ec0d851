import { useState } from 'react'

/** The pause before a change that is animated. */
export const CALM_MS = 600

/**
 * Returns true when the last change may be animated: after a pause, and from a value other than null.
 *
 * @param isCalm - False during a run, when no change is animated.
 */
export function useSettled(value: unknown, isCalm = true): boolean {
  const [last, setLast] = useState(() => ({ value, at: performance.now(), calm: false }))
  if (Object.is(last.value, value)) return last.calm
  const now = performance.now()
  const calm = isCalm && last.value !== null && now - last.at >= CALM_MS
  setLast({ value, at: now, calm })
  return calm
}
