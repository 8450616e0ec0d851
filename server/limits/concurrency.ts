import type { STREAMS } from '../../contract/limits.ts'

/** Limits concurrent use, per key and in total. */
export class ConcurrencyLimit {
  readonly #ofKey: number
  readonly #ofAll: number
  readonly #open = new Map<string, number>()
  #all = 0

  constructor(ofKey: number, ofAll = Number.POSITIVE_INFINITY) {
    this.#ofKey = ofKey
    this.#ofAll = ofAll
  }

  /** Starts a use of a key. Returns a function to call once at the end of the use, or null when a limit is reached. */
  acquire(key: string): (() => void) | null {
    if (this.#all >= this.#ofAll || (this.#open.get(key) ?? 0) >= this.#ofKey) return null
    this.#add(key, 1)
    return () => this.#add(key, -1)
  }

  #add(key: string, change: 1 | -1): void {
    this.#all += change
    const count = (this.#open.get(key) ?? 0) + change
    if (count > 0) this.#open.set(key, count)
    else this.#open.delete(key)
  }
}

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
