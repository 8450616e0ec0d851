/**
 * Notices that the computer slept. Most systems stop the clock of events meanwhile: a round would seem to have gone
 * on for three seconds when it was an hour. The wall clock, set right on waking, tells by how much it stood still.
 */

/** How often to look, so that a round which cannot give a result ends soon after waking, not at its Stop. */
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

/** Looks every second from now on, until it is stopped, and whenever it is asked to. */
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

  const timer = setInterval(check, LOOK_EVERY_MS)
  return { check, stop: () => clearInterval(timer) }
}
