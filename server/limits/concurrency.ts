import type { Concurrency } from '../../contract/limits.ts'

/** Counts what is open at the same time, of each address and in all. */
export class ConcurrencyLimit {
  readonly #on: boolean
  readonly #room: Concurrency
  readonly #open = new Map<string, number>()
  #all = 0

  /** @param on false lets everybody in (load tests) */
  constructor(on: boolean, room: Concurrency) {
    this.#on = on
    this.#room = room
  }

  /**
   * Lets one more in.
   *
   * @param address as `addressKey` writes it
   * @returns how it leaves again, once, however often it is called; null when there is no room
   */
  enter(address: string): (() => void) | null {
    const count = this.#open.get(address) ?? 0
    const full = count >= this.#room.ofAddress || this.#all >= this.#room.ofAll
    if (this.#on && full) return null
    this.#open.set(address, count + 1)
    this.#all += 1
    let left = false
    return () => {
      if (left) return
      left = true
      this.#leave(address)
    }
  }

  #leave(address: string): void {
    this.#all -= 1
    const count = (this.#open.get(address) ?? 1) - 1
    if (count > 0) this.#open.set(address, count)
    else this.#open.delete(address)
  }
}
