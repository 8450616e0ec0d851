import type { Concurrency } from '../../contract/limits.ts'

/** Limits how many are open at the same time, for each address and in all. */
export class ConcurrencyLimit {
  readonly #on: boolean
  readonly #max: Concurrency
  readonly #open = new Map<string, number>()
  #all = 0

  /** @param on false refuses none (load tests) */
  constructor(on: boolean, max: Concurrency) {
    this.#on = on
    this.#max = max
  }

  /**
   * Counts one more for an address.
   *
   * @param address as `addressKey` writes it
   * @returns what releases it, once, however often it is called; null when there are as many as there may be
   */
  acquire(address: string): (() => void) | null {
    const full = this.#count(address) >= this.#max.ofAddress || this.#all >= this.#max.ofAll
    if (this.#on && full) return null
    this.#add(address, 1)
    let open = true
    return () => {
      if (open) this.#add(address, -1)
      open = false
    }
  }

  #count(address: string): number {
    return this.#open.get(address) ?? 0
  }

  #add(address: string, change: 1 | -1): void {
    this.#all += change
    const count = this.#count(address) + change
    if (count > 0) this.#open.set(address, count)
    else this.#open.delete(address)
  }
}
