interface Limits {
  readonly ofAddress: number
  readonly ofAll: number
}

/** The limits of `RATE_LIMITS=off`, for load tests. */
export const NO_CONCURRENCY_LIMITS: Limits = {
  ofAddress: Number.POSITIVE_INFINITY,
  ofAll: Number.POSITIVE_INFINITY,
}

/** Limits concurrent use, per address and in total. */
export class ConcurrencyLimit {
  readonly #limits: Limits
  readonly #open = new Map<string, number>()
  #all = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Starts a use by an address. Returns a function to call once at the end of the use, or null when a limit is reached. */
  acquire(key: string): (() => void) | null {
    const { ofAddress, ofAll } = this.#limits
    if (this.#all >= ofAll || (this.#open.get(key) ?? 0) >= ofAddress) return null
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
