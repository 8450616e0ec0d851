import type { Database } from '../database/pool.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { expireHolds } from './prizes.ts'

/** The interval between checks for expired prizes. */
const INTERVAL_MS = 1_000

/**
 * Returns expired prizes to the pool until stopped. Every node may run this timer, because each prize returns
 * only once.
 *
 * @param onReturned - Called after each commit that returned a prize.
 * @returns a function that stops the timer
 */
export function startHoldExpiry(
  database: Database,
  holdMinutes: number,
  log: Logger,
  onReturned: () => void,
): () => Promise<void> {
  const throttle = new Throttle(INTERVAL_MS, async () => {
    throttle.ask()
    try {
      let taps: number
      do {
        taps = await expireHolds(database, holdMinutes)
        if (taps > 0) onReturned()
      } while (taps > 0)
    } catch (error) {
      log.warn({ err: error }, 'expired prizes could not be returned; trying again in a second')
    }
  })
  throttle.ask()
  return () => throttle.close()
}
