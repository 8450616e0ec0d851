import { HASH_QUEUE } from '../../contract/limits.ts'
import { Problem } from '../problem.ts'

const RETRY_S = 2

interface Waiting {
  readonly address: string
  readonly begin: () => void
  readonly refuse: (reason: Problem) => void
}

/** Runs one hash at a time, in order of arrival, so that a flood of logins occupies only one core. */
export class HashQueue {
  readonly #ofAddress: number
  #waiting: Waiting[] = []
  #isBusy = false
  #isClosed = false

  /** @param ofAddress - The most hashes that may wait for one address. */
  constructor(ofAddress: number = HASH_QUEUE.ofAddress) {
    this.#ofAddress = ofAddress
  }

  /**
   * @param address - The key from `addressKey`.
   * @throws {Problem} unavailable when the queue is full or closed
   */
  async run<Result>(address: string, hash: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) await this.#wait(address)
    this.#isBusy = true
    try {
      return await hash()
    } finally {
      const next = this.#waiting.shift()
      if (next) next.begin()
      else this.#isBusy = false
    }
  }

  /** Refuses all waiting hashes, and later hashes that must wait. */
  close(): void {
    this.#isClosed = true
    for (const { refuse } of this.#waiting) refuse(new Problem('unavailable', { retryAfter: 1 }))
    this.#waiting = []
  }

  #wait(address: string): Promise<void> {
    if (this.#isClosed || this.#isFull(address))
      throw new Problem('unavailable', { retryAfter: RETRY_S, isFull: true })
    return new Promise((begin, refuse) => {
      this.#waiting.push({ address, begin, refuse })
    })
  }

  #isFull(address: string): boolean {
    if (this.#waiting.length >= HASH_QUEUE.ofAll) return true
    return this.#waiting.filter(other => other.address === address).length >= this.#ofAddress
  }
}
