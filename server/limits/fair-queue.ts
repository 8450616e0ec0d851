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
   * @returns false when too many wait already: of all, of the account, or of one of the address's networks
   */
  add(address: string, account: string, job: Job): boolean {
    const shares = sharesOf(address)
    const hasRoom = this.#waiting.length < HASH_QUEUE.ofAll
    if (!hasRoom || (this.#on && this.#exceeds(shares, account))) return false
    this.#waiting.push({ shares, account, job })
    return true
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
