/** The interval of checks, short enough to end a round soon after the device wakes. */
const CHECK_EVERY_MS = 1_000

/** The shortest sleep that counts, far above the drift of the two clocks between checks. */
const SLEEP_MIN_MS = 1_000

/**
 * Detects that the device slept, by comparing the event clock with the wall clock. The event clock stops
 * during sleep, so a round of an hour could seem to last seconds.
 */
export function watchSleep() {
  const awake = new Set<() => void>()
  const readAhead = () => Date.now() - performance.now()
  let ahead = readAhead()

  /** Calls the listeners and returns true if the device has slept since the last check. */
  function check(): boolean {
    const before = ahead
    ahead = readAhead()
    if (ahead - before < SLEEP_MIN_MS) return false
    for (const listener of awake) listener()
    return true
  }

  setInterval(check, CHECK_EVERY_MS)
  return { check, onWake: (listener: () => void) => void awake.add(listener) }
}
