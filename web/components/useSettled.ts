import { useState } from 'react'

/** The quiet time before a change that is animated. */
export const CALM_MS = 600

/**
 * Returns true when the last change came after a quiet time, so that rapid changes are not animated. The
 * first value after null is not animated either.
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
