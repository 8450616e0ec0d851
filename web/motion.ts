/** True when the system is set to less motion. */
export function wantsStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
