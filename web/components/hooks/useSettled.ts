import { useState } from 'react'

/** The shortest pause before a change that may be animated. */
export const CALM_MS = 600

/**
 * Returns true when the last change followed a pause and replaced a value other than null.
 *
 * @param isCalm - Whether a change may be animated.
 */
export function useSettled(value: unknown, isCalm = true): boolean {
  const [last, setLast] = useState(() => ({ value, at: performance.now(), calm: false }))
  if (Object.is(last.value, value)) return last.calm
  const now = performance.now()
  const calm = isCalm && last.value !== null && now - last.at >= CALM_MS
  setLast({ value, at: now, calm })
  return calm
}
