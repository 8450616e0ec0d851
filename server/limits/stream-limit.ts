import type { STREAMS } from '../../contract/limits.ts'
import { ConcurrencyLimit } from './concurrency.ts'

type Limits = Readonly<Record<keyof typeof STREAMS, number>>

const NO_LIMIT = Number.POSITIVE_INFINITY
/** The limits of `RATE_LIMITS=off`, for load tests. */
export const NO_STREAM_LIMITS: Limits = { ofPlayer: NO_LIMIT, ofAddress: NO_LIMIT, ofAll: NO_LIMIT }

/** Limits live streams per address, per player and in total. */
export class StreamLimit {
  readonly #ofAddress: ConcurrencyLimit
  readonly #ofPlayer: ConcurrencyLimit

  constructor({ ofAddress, ofPlayer, ofAll }: Limits) {
    this.#ofAddress = new ConcurrencyLimit(ofAddress, ofAll)
    this.#ofPlayer = new ConcurrencyLimit(ofPlayer)
  }

  /**
   * Counts a new stream.
   *
   * @returns a function to call when the stream ends, or null when a limit is reached
   */
  acquire(addressKey: string, playerId?: string): (() => void) | null {
    const releaseAddress = this.#ofAddress.acquire(addressKey)
    if (!releaseAddress || playerId === undefined) return releaseAddress
    const releasePlayer = this.#ofPlayer.acquire(playerId)
    if (!releasePlayer) {
      releaseAddress()
      return null
    }
    return () => {
      releasePlayer()
      releaseAddress()
    }
  }
}
