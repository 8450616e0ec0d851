import { HASH_QUEUE } from '../../contract/limits.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { type Share, sharesOf } from './address.ts'

/** Networks whose last turn is remembered, some 100 bytes each. */
const MAX_REMEMBERED = 20_000

interface Waiting<Job> {
  readonly network: Share
  readonly account: string
  readonly job: Job
}

/**
 * A queue with room for a few jobs of each account and each network: an IPv4 address, or an IPv6 /48, which may be one
 * customer. Next is the network whose last turn was longest ago, and its oldest job: who sends hundreds waits behind who
 * sends one.
 */
export class FairQueue<Job> {
  readonly #on: boolean
  readonly #waiting: Waiting<Job>[] = []
  readonly #turns = new BoundedMap<number>(MAX_REMEMBERED)
  #turn = 0

  /** @param on false for load tests: only the total is bounded */
  constructor(on: boolean) {
    this.#on = on
  }

  /**
   * Adds a job.
   *
   * @param address of `addressKey`
   * @param account any key that identifies the account
   * @returns the job that found no room: this one, when too many of its account or network wait already; the newest of
   *   the network with the most, when the queue is full; null when there is room
   */
  add(address: string, account: string, job: Job): Job | null {
    const [network] = sharesOf(address)
    if (this.#on && this.#exceeds(network, account)) return job
    this.#waiting.push({ network, account, job })
    return this.#waiting.length > HASH_QUEUE.ofAll ? this.#dropOne() : null
  }

  /** Removes and returns the next job. */
  next(): Job | undefined {
    if (this.#waiting.length === 0) return undefined
    const first = this.#waiting.reduce((first, other) =>
      this.#turnOf(other) < this.#turnOf(first) ? other : first,
    )
    this.#waiting.splice(this.#waiting.indexOf(first), 1)
    this.#turn += 1
    this.#turns.set(first.network.key, this.#turn)
    return first.job
  }

  #turnOf({ network }: Waiting<Job>): number {
    return this.#turns.get(network.key) ?? 0
  }

  /** Drops the newest job of the network with the most: to keep others out takes as many networks as there is room for. */
  #dropOne(): Job | null {
    const counts = new Map<string, number>()
    for (const { network } of this.#waiting) counts.set(network.key, (counts.get(network.key) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const newest = this.#waiting.findLastIndex(({ network }) => counts.get(network.key) === most)
    return this.#waiting.splice(newest, 1)[0]?.job ?? null
  }

  #exceeds({ key, times }: Share, account: string): boolean {
    const ofAccount = this.#waiting.filter(waiting => waiting.account === account).length
    const ofNetwork = this.#waiting.filter(({ network }) => network.key === key).length
    const isAlone = ofNetwork === this.#waiting.length
    const most = isAlone ? HASH_QUEUE.ofAddressAlone : HASH_QUEUE.ofAddress * times
    return ofAccount >= HASH_QUEUE.ofAccount || ofNetwork >= most
  }
}
