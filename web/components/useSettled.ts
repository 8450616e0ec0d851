import { useState } from 'react'

/** How long nothing may have changed before a change is worth a movement, in ms. */
export const CALM_MS = 600

/**
 * Tells whether the last change of a value came after a quiet time. In quick succession each animation would be cut short by
 * the next one. The first value, in place of null, is not animated either.
 *
 * @param isCalm - False while no change is worth a movement, during a run.
 */
export function useSettled(value: unknown, isCalm = true): boolean {
  const [last, setLast] = useState(() => ({ value, at: performance.now(), calm: false }))
  if (Object.is(last.value, value)) return last.calm
  const now = performance.now()
  const calm = isCalm && last.value !== null && now - last.at >= CALM_MS
  setLast({ value, at: now, calm })
  return calm
}
