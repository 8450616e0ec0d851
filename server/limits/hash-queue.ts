import { HASH_QUEUE } from '../../contract/limits.ts'
import { Problem } from '../problem.ts'

const RETRY_S = 2

/** The page shows this while it repeats the call. */
const FULL = 'Many are signing up. You are waiting in line.'

/** Runs one hash at a time, in order of arrival, so that a flood of logins occupies only one core. */
export class HashQueue {
  readonly #ofAddress: number
  /** The address of each waiting hash, in order of arrival. */
  readonly #waiting: string[] = []
  #last: Promise<unknown> = Promise.resolve()
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
    const own = this.#waiting.filter(other => other === address)
    if (this.#waiting.length >= HASH_QUEUE.ofAll || own.length >= this.#ofAddress)
      throw new Problem('unavailable', { title: FULL, retryAfter: RETRY_S, isUnlogged: true })
    this.#waiting.push(address)
    const result = this.#last.then(() => {
      this.#waiting.shift()
      if (this.#isClosed) throw new Problem('unavailable', { retryAfter: 1 })
      return hash()
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Refuses all hashes that have not begun. */
  close(): void {
    this.#isClosed = true
  }
}
