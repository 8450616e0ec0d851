/** A guest's hold: what is held, and until when by the page's clock in ms. */
export interface GuestHold {
  readonly taps: number
  readonly endsAt: number
}

/** How long the header says that a hold has ended, in ms. */
export const ENDED_SHOWN_MS = 5_000

/** Returns true for a moment after the end of a hold. */
export function hasJustEnded({ endsAt }: GuestHold, now: number): boolean {
  return now >= endsAt && now - endsAt < ENDED_SHOWN_MS
}
