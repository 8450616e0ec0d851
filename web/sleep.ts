/** Often enough to end a round soon after waking, and not only at its Stop. */
const CHECK_EVERY_MS = 1_000

/** Far above the drift of the two clocks in a second, and far below any sleep. */
const SLEEP_MIN_MS = 1_000

export interface Clocks {
  /** Ms since the epoch; continues while the computer sleeps. */
  readonly wall: () => number
  /** Ms of the clock that event time stamps use. */
  readonly page: () => number
}

const CLOCKS: Clocks = { wall: () => Date.now(), page: () => performance.now() }

/**
 * Detects sleep of the computer by comparing the event clock with the wall clock. The event clock stops during
 * sleep, so a round of an hour could seem to last seconds.
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
