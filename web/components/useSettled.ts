import { useState } from 'react'

/** How long nothing may have changed before a change is worth a movement, in ms. */
export const QUIET_MS = 600

/**
 * Whether the last change of a value came after a quiet time. Of changes in quick succession each movement would be cut
 * short by the next one, and nothing could be read; what comes first, in the place of null, moves nothing either.
 */
export function useSettled(value: unknown): boolean {
  const [last, setLast] = useState(() => ({ value, at: performance.now(), calm: false }))
  if (Object.is(last.value, value)) return last.calm
  const now = performance.now()
  const calm = last.value !== null && now - last.at >= QUIET_MS
  setLast({ value, at: now, calm })
  return calm
}
