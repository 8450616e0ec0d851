/**
 * How finely this browser tells the time of an event. Most do to 1 ms or better; some round on purpose (Firefox with
 * `privacy.resistFingerprinting`: 100 ms, or 16.67 ms), and then luck has a say in every hit.
 */

/**
 * From this step on the player is told. A device that reports 125 times a second rounds to 8 ms, so up to there the
 * clock is not the weakest link; above it is. Browsers that do not round on purpose stay at 1 ms or below, those that
 * do start at 16.67 ms, so nothing lies near the limit.
 */
export const COARSE_STEP_MS = 10

/**
 * That many steps in a row have to be large. A single one can be a pause of the machine between two readings, and on
 * a clock of 1 ms half of the polls see no step at all: 20 of those in a row come once in a million.
 */
const ENOUGH_STEPS = 20

const POLL_EVERY_MS = 4
/** About half a millisecond: a finer clock moves while it is read. */
const READINGS = 2_000
/** 4 s, twice what 20 steps of 100 ms take; then the clock does not move, or not for us. */
const MAX_POLLS = 1_000

/**
 * The step of a clock in ms, from times read in this order; null while they do not tell. The smallest difference is
 * the step: one small step proves a fine clock.
 */
export function stepOf(times: readonly number[]): number | null {
  const steps = times.map((time, index) => time - (times[index - 1] ?? time)).filter(step => step > 0)
  if (steps.length === 0) return null
  const smallest = Math.min(...steps)
  return smallest < COARSE_STEP_MS || steps.length >= ENOUGH_STEPS ? smallest : null
}

/** Tells of the step of a clock that is too coarse to play by, in ms; of any other clock nothing. */
export function tellCoarseStep(found: (stepMs: number) => void): void {
  measureStep(step => {
    if (step >= COARSE_STEP_MS) found(step)
  })
}

/**
 * Measures the step of the clock of events, the one that attempts are measured by. Takes microseconds on a fine
 * clock, and some short looks within about two seconds on a coarse one.
 *
 * @param found told once, unless the clock does not tell
 */
export function measureStep(found: (stepMs: number) => void, read: () => number = readEventClock): void {
  const times: number[] = []
  let polls = 0

  function poll(): void {
    for (let reading = 0; reading < READINGS; reading += 1) {
      const time = read()
      if (time === times.at(-1)) continue
      times.push(time)
      const step = stepOf(times)
      if (step === null) continue
      found(step)
      return
    }
    polls += 1
    if (polls < MAX_POLLS) setTimeout(poll, POLL_EVERY_MS)
  }

  poll()
}

function readEventClock(): number {
  return new Event('reading').timeStamp
}
