import type { Concurrency } from '../../contract/limits.ts'
import { sharesOf } from './address.ts'

/** Limits how many are open at once: of each address, of each IPv6 network, and in all. */
export class ConcurrencyLimit {
  readonly #on: boolean
  readonly #max: Concurrency
  readonly #open = new Map<string, number>()
  #all = 0

  /** @param on false for load tests: refuses none */
  constructor(on: boolean, max: Concurrency) {
    this.#on = on
    this.#max = max
  }

  /**
   * Counts one more for an address.
   *
   * @param address of `addressKey`
   * @returns a function that releases it, once; null when the limit is reached
   */
  acquire(address: string): (() => void) | null {
    const shares = sharesOf(address)
    const { ofOne, ofAll } = this.#max
    const full = this.#all >= ofAll || shares.some(({ key, times }) => this.#count(key) >= ofOne * times)
    if (this.#on && full) return null
    const keys = shares.map(({ key }) => key)
    this.#add(keys, 1)
    let open = true
    return () => {
      if (open) this.#add(keys, -1)
      open = false
    }
  }

  #count(key: string): number {
    return this.#open.get(key) ?? 0
  }

  #add(keys: readonly string[], change: 1 | -1): void {
    this.#all += change
    for (const key of keys) {
      const count = this.#count(key) + change
      if (count > 0) this.#open.set(key, count)
      else this.#open.delete(key)
    }
  }
}
