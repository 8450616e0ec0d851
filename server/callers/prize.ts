import type { Prize } from '../../contract/api.ts'

/**
 * The prize held for a player, as the page receives it.
 *
 * @param heldUntil - Null for a user, whose prizes are held until claimed.
 * @param now - By the database's clock, ms.
 */
export function toPrize(taps: number | null, heldUntil: Date | null, now: number): Prize | null {
  if (!taps) return null
  if (heldUntil === null) return { taps, held_until: null, held_seconds: null }
  // Rounded, since the clock is an estimate: a hold of 15 minutes begins at 15:00.
  const held_seconds = Math.max(0, Math.round((heldUntil.getTime() - now) / 1_000))
  return { taps, held_until: heldUntil.toISOString(), held_seconds }
}
