import type { Prize } from '../../contract/api.ts'

/**
 * What is held for a player, as shown to them now; null when nothing is.
 *
 * @param heldUntil null for an account, whose prizes are held until claimed
 * @param now by the database's clock too, ms since the epoch
 */
export function toPrize(taps: number | null, heldUntil: Date | null, now: number): Prize | null {
  if (!taps) return null
  if (heldUntil === null) return { taps, held_until: null, held_seconds: null }
  // Rounded, since the clock is an estimate: a hold of 15 minutes begins at 15:00, and not at 15:01.
  const held_seconds = Math.max(0, Math.round((heldUntil.getTime() - now) / 1_000))
  return { taps, held_until: heldUntil.toISOString(), held_seconds }
}
