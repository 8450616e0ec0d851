import { LIMITS, type Limit, type LimitName, type Rate } from '../../contract/limits.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { Problem } from '../problem.ts'

/** Keys remembered per limit: at most 90 MB for all of them, full of the longest names there can be. */
const MAX_KEYS = 20_000

const MINUTE_MS = 60_000
/** What ten thousand additions are off by at most; far below the least time between two uses. */
const ROUNDING_MS = 0.001

/** What may be used by one key, or by all together. */
interface Share {
  readonly rate: Rate
  /** By key, until when its share is used, monotonic ms. */
  readonly used: BoundedMap<number>
  readonly key: string
}

/** Counts what each key does, by the generic cell rate algorithm: one number per key. */
export class Limiter {
  readonly #on: boolean
  readonly #now: () => number
  readonly #used = new Map<LimitName, BoundedMap<number>>()
  readonly #usedByAll = new BoundedMap<number>(MAX_KEYS)

  /**
   * @param on false lets everything through (load tests)
   * @param now a monotonic clock in ms
   */
  constructor(on: boolean, now = () => performance.now()) {
    this.#on = on
    this.#now = now
  }

  /**
   * Uses a part of the key's share, and of the share of all keys.
   *
   * @returns its undo, for a use that turned out not to count
   * @throws Problem `too_many_requests` when a share is used up; nothing is taken then
   */
  take(name: LimitName, key: string): () => void {
    if (!this.#on) return () => undefined
    const shares = this.#shares(name, key)
    const waitMs = Math.max(...shares.map(share => this.#waitMs(share)))
    if (waitMs > 0) throw new Problem('too_many_requests', { retryAfter: Math.ceil(waitMs / 1_000) })
    for (const share of shares) this.#use(share, 1)
    return () => {
      for (const share of shares) this.#use(share, -1)
    }
  }

  #shares(name: LimitName, key: string): Share[] {
    const { ofAll, ...rate }: Limit = LIMITS[name]
    const own: Share = { rate, used: this.#keysOf(name), key }
    return ofAll ? [own, { rate: ofAll, used: this.#usedByAll, key: name }] : [own]
  }

  #waitMs({ rate: { burst, perMinute }, used, key }: Share): number {
    const share = ((burst - 1) * MINUTE_MS) / perMinute
    return (used.get(key) ?? 0) - this.#now() - share - ROUNDING_MS
  }

  #use({ rate, used, key }: Share, times: number): void {
    const until = used.get(key)
    // What is given back but no longer remembered was used up long ago.
    if (until === undefined && times < 0) return
    const from = times < 0 ? (until ?? 0) : Math.max(until ?? 0, this.#now())
    used.set(key, from + (times * MINUTE_MS) / rate.perMinute)
  }

  #keysOf(name: LimitName): BoundedMap<number> {
    const known = this.#used.get(name)
    if (known) return known
    const fresh = new BoundedMap<number>(MAX_KEYS)
    this.#used.set(name, fresh)
    return fresh
  }
}
