import type { fireConfetti } from './confetti.ts'

/** The time that a claimed amount takes to reach the balance. */
export const PAYOUT_MS = 500

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Loads and fires confetti, unless the system asks for reduced motion. */
export async function celebrate(...place: Parameters<typeof fireConfetti>): Promise<void> {
  if (prefersReducedMotion()) return
  const confetti = await import('./confetti.ts')
  await confetti.fireConfetti(...place)
}
