/** The time that a claimed amount takes to reach the balance. */
export const PAYOUT_MS = 500

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
