import { HASH_QUEUE } from '../../contract/limits.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { type Share, sharesOf } from './address.ts'

/** Networks of which is remembered when their turn was, some 100 bytes each. */
const MAX_REMEMBERED = 20_000

interface Waiting<Job> {
  readonly network: Share
  readonly account: string
  readonly job: Job
}

/**
 * Jobs that wait, a few of each network and account: of an address of IPv4, of a /48 of IPv6, which may be one customer. The
 * next one is of the network whose turn was longest ago, and within it the first that came: whoever sends hundreds waits
 * behind whoever sends one.
 */
export class FairQueue<Job> {
  readonly #on: boolean
  readonly #waiting: Waiting<Job>[] = []
  readonly #turns = new BoundedMap<number>(MAX_REMEMBERED)
  #turn = 0

  /** @param on false bounds nothing but all together (load tests) */
  constructor(on: boolean) {
    this.#on = on
  }

  /**
   * Lets a job wait.
   *
   * @param address as `addressKey` writes it
   * @param account whatever tells accounts apart
   * @returns the job for which there is no room: this one, where too many of its account or network wait already, or the
   *   newest of the network that has most, where too many of all do; null when there is room
   */
  add(address: string, account: string, job: Job): Job | null {
    const [network = { key: address, times: 1 }] = sharesOf(address)
    if (this.#on && this.#exceeds(network, account)) return job
    this.#waiting.push({ network, account, job })
    return this.#waiting.length > HASH_QUEUE.ofAll ? this.#pushOut() : null
  }

  /** Takes the job whose turn it is. */
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

  /** So that it takes as many networks as can wait to keep others out. */
  #pushOut(): Job | null {
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
