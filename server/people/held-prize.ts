import type { Prize } from '../../contract/api.ts'

/**
 * Converts a held prize to the contract's form.
 *
 * @param heldUntil - Null for a user, whose prizes are held until claimed.
 * @param now - The time of the query that read the prize.
 */
export function toPrize(taps: number | null, heldUntil: Date | null, now: Date): Prize | null {
  if (!taps) return null
  if (heldUntil === null) return { taps, held_until: null, held_seconds: null }
  const held_seconds = Math.max(0, Math.round((heldUntil.getTime() - now.getTime()) / 1_000))
  return { taps, held_until: heldUntil.toISOString(), held_seconds }
}
