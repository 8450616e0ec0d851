import type { Prize } from '../../contract/api.ts'

/**
 * Converts a held prize to the contract's form.
 *
 * @param heldUntil - Null for a user, whose prizes are held until claimed.
 * @param now - The database's time, ms.
 */
export function toPrize(taps: number | null, heldUntil: Date | null, now: number): Prize | null {
  if (!taps) return null
  if (heldUntil === null) return { taps, held_until: null, held_seconds: null }
  // Rounds, because the clock is an estimate and a hold of 15 minutes must begin at 15:00.
  const held_seconds = Math.max(0, Math.round((heldUntil.getTime() - now) / 1_000))
  return { taps, held_until: heldUntil.toISOString(), held_seconds }
}
