import type { Database } from '../database/pool.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { expireHolds } from './prizes.ts'

/** How late a prize may return at most, besides the time that the statement takes. */
const INTERVAL_MS = 1_000

/**
 * Returns the prizes whose time is up, from now on and also when nobody plays. Every node does it, and each prize
 * returns once.
 *
 * @param onReturned told after each commit how many TAPS went back to the pool
 * @returns what ends it
 */
export function startHoldExpiry(
  database: Database,
  log: Logger,
  onReturned: (taps: number) => void,
): () => Promise<void> {
  let stopped = false
  const throttle = new Throttle(INTERVAL_MS, async () => {
    throttle.ask()
    try {
      // There may be more than are taken at once.
      while (!stopped) {
        const taps = await expireHolds(database)
        if (taps === 0) return
        onReturned(taps)
      }
    } catch (error) {
      log.warn({ err: error }, 'prizes could not be returned; the next second tries again')
    }
  })
  throttle.ask()
  return () => {
    stopped = true
    return throttle.close()
  }
}
