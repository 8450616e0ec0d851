import { HASH_QUEUE } from '../../contract/limits.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { type Share, sharesOf } from './address.ts'

/** Networks of which is remembered when their turn was, some 100 bytes each. */
const MAX_REMEMBERED = 20_000

interface Waiting<Job> {
  readonly shares: readonly Share[]
  readonly account: string
  readonly job: Job
}

/**
 * Jobs that wait, a few of each address and account. The next one is of the network whose turn was longest ago, within it
 * of the smaller one, and of one address the first that came: whoever sends hundreds waits behind whoever sends one.
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
    const shares = sharesOf(address)
    if (this.#on && this.#exceeds(shares, account)) return job
    this.#waiting.push({ shares, account, job })
    return this.#waiting.length > HASH_QUEUE.ofAll ? this.#pushOut() : null
  }

  /** Takes the job whose turn it is. */
  next(): Job | undefined {
    if (this.#waiting.length === 0) return undefined
    const first = this.#waiting.reduce((first, other) => (this.#isBefore(other, first) ? other : first))
    this.#waiting.splice(this.#waiting.indexOf(first), 1)
    this.#turn += 1
    for (const { key } of first.shares) this.#turns.set(key, this.#turn)
    return first.job
  }

  /** So that it takes as many networks as can wait to keep others out. */
  #pushOut(): Job | null {
    const counts = new Map<string, number>()
    for (const waiting of this.#waiting) counts.set(widest(waiting), (counts.get(widest(waiting)) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const newest = this.#waiting.findLastIndex(waiting => counts.get(widest(waiting)) === most)
    return this.#waiting.splice(newest, 1)[0]?.job ?? null
  }

  #exceeds(shares: readonly Share[], account: string): boolean {
    const ofAccount = this.#waiting.filter(waiting => waiting.account === account).length
    return ofAccount >= HASH_QUEUE.ofAccount || shares.some(share => this.#isFull(share))
  }

  #isFull({ key, times }: Share): boolean {
    const count = this.#waiting.filter(({ shares }) => shares.some(share => share.key === key)).length
    const isAlone = count === this.#waiting.length
    return count >= (isAlone ? HASH_QUEUE.ofAddressAlone : HASH_QUEUE.ofAddress * times)
  }

  /** From the widest network on: the first whose turns differ decides. */
  #isBefore(one: Waiting<Job>, other: Waiting<Job>): boolean {
    const turn = ({ shares }: Waiting<Job>, place: number) => this.#turns.get(shares[place]?.key ?? '') ?? 0
    const place = one.shares.findIndex((_, place) => turn(one, place) !== turn(other, place))
    return place >= 0 && turn(one, place) < turn(other, place)
  }
}

function widest({ shares }: Waiting<unknown>): string {
  return shares[0]?.key ?? ''
}
