/** Limits concurrent use by each address. */
export class ConcurrencyLimit {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Starts a use. Returns a function to call once at the end of the use, or null when the limit is reached. */
  acquire(key: string): (() => void) | null {
    const count = this.#open.get(key) ?? 0
    if (count >= this.#most) return null
    this.#open.set(key, count + 1)
    return () => this.#release(key)
  }

  #release(key: string): void {
    const count = (this.#open.get(key) ?? 0) - 1
    if (count > 0) this.#open.set(key, count)
    else this.#open.delete(key)
  }
}
