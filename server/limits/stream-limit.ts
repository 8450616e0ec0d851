import { STREAMS } from '../../contract/limits.ts'
import { ConcurrencyLimit } from './concurrency.ts'

/** Limits live streams per address, per player and in total. */
export class StreamLimit {
  readonly #ofAddress: ConcurrencyLimit
  readonly #ofPlayer: ConcurrencyLimit

  /** @param on - Whether to refuse streams; false for load tests. */
  constructor(on: boolean, maxConnections: number) {
    const ofAll = Math.floor(maxConnections * STREAMS.shareOfConnections)
    this.#ofAddress = new ConcurrencyLimit(on, STREAMS.ofAddress, ofAll)
    this.#ofPlayer = new ConcurrencyLimit(on, STREAMS.ofPlayer)
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
