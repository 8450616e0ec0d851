/** Checks every second, so that a round ends soon after waking and not at its Stop. */
const CHECK_EVERY_MS = 1_000

/** Far above the drift of the two clocks in a second, and far below any sleep. */
const SLEEP_MIN_MS = 1_000

export interface Clocks {
  /** Ms since the epoch; continues while the computer sleeps. */
  readonly wall: () => number
  /** Ms of the clock that stamps events. */
  readonly page: () => number
}

const CLOCKS: Clocks = { wall: () => Date.now(), page: () => performance.now() }

/**
 * Notices that the computer slept. The event clock stops during sleep, so an hour's round would seem to last
 * seconds. The wall clock shows the difference.
 */
export function watchSleep(onWake: () => void, { wall, page }: Clocks = CLOCKS) {
  let ahead = wall() - page()

  /** Returns true, after calling `onWake`, if the computer slept since the last check. */
  function check(): boolean {
    const before = ahead
    ahead = wall() - page()
    if (ahead - before < SLEEP_MIN_MS) return false
    onWake()
    return true
  }

  setInterval(check, CHECK_EVERY_MS)
  return { check }
}
