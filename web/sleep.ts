/**
 * Notices that the computer slept. Most systems stop the event clock meanwhile, so a round of an hour would seem to have
 * lasted three seconds. The wall clock, corrected on waking, tells how long the event clock stood still.
 */

/** How often to look, in ms, so that a round without a possible result ends soon after waking, not at its Stop. */
const LOOK_EVERY_MS = 1_000

/**
 * Far above what the two clocks drift apart between two looks (a wall clock that is being corrected gains at most
 * 0.5 ms a second), far below any sleep. A wall clock that is set forward by more than this looks like a sleep; it
 * costs a round without a result, whose target comes again.
 */
const SLEEP_MIN_MS = 1_000

export interface Clocks {
  /** Ms since the epoch; goes on while the computer sleeps. */
  readonly wall: () => number
  /** Ms of the clock that events are stamped with. */
  readonly page: () => number
}

const CLOCKS: Clocks = { wall: () => Date.now(), page: () => performance.now() }

/** Looks every second, and whenever it is asked. */
export function watchSleep(onWake: () => void, { wall, page }: Clocks = CLOCKS) {
  let ahead = wall() - page()

  /** True when the computer has slept since the last look; `onWake` has then been called. */
  function check(): boolean {
    const before = ahead
    ahead = wall() - page()
    if (ahead - before < SLEEP_MIN_MS) return false
    onWake()
    return true
  }

  setInterval(check, LOOK_EVERY_MS)
  return { check }
}
