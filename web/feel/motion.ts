export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** The time that a claimed amount takes to reach the balance. */
export const PAYOUT_MS = 500

const COUNT_MS = 600

/**
 * Counts from one amount to another, more and more slowly.
 *
 * @param show - Receives each amount, ending with `to`.
 * @returns a function that stops counting
 */
export function count(from: number, to: number, show: (amount: number) => void, delayMs = 0): () => void {
  const began = performance.now() + delayMs
  let frame = requestAnimationFrame(function next(now) {
    const progress = Math.min(1, Math.max(0, now - began) / COUNT_MS)
    show(Math.round(from + (to - from) * (1 - (1 - progress) ** 3)))
    if (progress < 1) frame = requestAnimationFrame(next)
  })
  return () => cancelAnimationFrame(frame)
}
