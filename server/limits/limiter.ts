import { LIMITS, type LimitName, type Rate } from '../../contract/limits.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { Problem } from '../problem.ts'

/** The most keys of all limits; at most 40 MB, even with the longest names. */
const MAX_KEYS = 160_000

const MINUTE_MS = 60_000
/** The rounding error of ten thousand additions; shorter than any time between two uses. */
const ROUNDING_MS = 0.001

type RateOf = (limit: LimitName) => Rate

const UNLIMITED: Rate = { burst: 1, perMinute: Number.POSITIVE_INFINITY }
/** The rates of `RATE_LIMITS=off`, for load tests. */
export const NO_LIMITS: RateOf = () => UNLIMITED

/** Limits the rate of each key by the generic cell rate algorithm, which keeps one number per key. */
export class Limiter {
  readonly #rateOf: RateOf
  readonly #now: () => number
  /** The monotonic time until which each key of each limit has paid, ms. */
  readonly #paidUntil = new BoundedMap<number>(MAX_KEYS)

  /** @param now - A monotonic clock in ms. */
  constructor(rateOf: RateOf = limit => LIMITS[limit], now = () => performance.now()) {
    this.#rateOf = rateOf
    this.#now = now
  }

  /** Takes a use. Returns 0, or how many seconds to wait. */
  tryTake(limit: LimitName, key: string): number {
    const { burst, perMinute } = this.#rateOf(limit)
    const aheadMs = ((burst - 1) * MINUTE_MS) / perMinute
    const waitMs = (this.#paidUntil.get(`${limit} ${key}`) ?? 0) - this.#now() - aheadMs - ROUNDING_MS
    if (waitMs > 0) return Math.ceil(waitMs / 1_000)
    this.#add(limit, key, 1)
    return 0
  }

  /** @throws {Problem} too_many_requests */
  take(limit: LimitName, key: string): void {
    const waitS = this.tryTake(limit, key)
    if (waitS > 0) throw new Problem('too_many_requests', { retryAfter: waitS })
  }

  refund(limit: LimitName, key: string): void {
    this.#add(limit, key, -1)
  }

  /**
   * Adds or refunds a use. Forgets a key without recent uses, so that the key does not displace another key.
   */
  #add(limit: LimitName, key: string, count: 1 | -1): void {
    const name = `${limit} ${key}`
    const now = this.#now()
    const paidUntil = Math.max(this.#paidUntil.get(name) ?? 0, now)
    const until = paidUntil + (count * MINUTE_MS) / this.#rateOf(limit).perMinute
    if (until > now) this.#paidUntil.set(name, until)
    else this.#paidUntil.forget(name)
  }
}
