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

  /** Starts a use of a key. Returns a function that ends the use, or null when a limit is reached. */
  acquire(key: string): (() => void) | null {
    if (this.#all >= this.#ofAll || (this.#open.get(key) ?? 0) >= this.#ofKey) return null
    this.#add(key, 1)
    let isOpen = true
    return () => {
      if (isOpen) this.#add(key, -1)
      isOpen = false
    }
  }

  #add(key: string, change: 1 | -1): void {
    this.#all += change
    const count = (this.#open.get(key) ?? 0) + change
    if (count > 0) this.#open.set(key, count)
    else this.#open.delete(key)
  }
}
