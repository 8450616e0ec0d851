import { HASH_QUEUE } from '../../contract/limits.ts'
import { Problem } from '../problem.ts'

const RETRY_S = 2

export interface HashClient {
  /** The key from `addressKey`. */
  readonly address: string
  readonly user: string
}

interface Waiting {
  readonly client: HashClient
  readonly begin: () => void
  readonly refuse: (reason: Problem) => void
}

/** Runs one hash at a time, in order of arrival, so that a flood of logins occupies only one core. */
export class HashQueue {
  readonly #on: boolean
  #waiting: Waiting[] = []
  #isBusy = false
  #isClosed = false

  /** @param on - Whether to limit each client too; false for load tests. */
  constructor(on: boolean) {
    this.#on = on
  }

  /** @throws {Problem} unavailable when the queue is full or closed */
  async run<Result>(client: HashClient, hash: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) await this.#wait(client)
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

  #wait(client: HashClient): Promise<void> {
    if (this.#isClosed || this.#isFull(client))
      throw new Problem('unavailable', { retryAfter: RETRY_S, isFull: true })
    return new Promise((begin, refuse) => {
      this.#waiting.push({ client, begin, refuse })
    })
  }

  #isFull({ address, user }: HashClient): boolean {
    const waiting = this.#waiting.map(({ client }) => client)
    if (waiting.length >= HASH_QUEUE.ofAll) return true
    const ofAddress = waiting.filter(other => other.address === address).length
    const ofUser = waiting.filter(other => other.user === user).length
    return this.#on && (ofAddress >= HASH_QUEUE.ofAddress || ofUser >= HASH_QUEUE.ofUser)
  }
}
