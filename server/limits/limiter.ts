import { LIMITS, type LimitName } from '../../contract/limits.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { Problem } from '../problem.ts'
import { sharesOf } from './address.ts'

/** Keys remembered per limit: at most 90 MB in all, even when full of the longest names. */
const MAX_KEYS = 20_000

const MINUTE_MS = 60_000
/** The rounding error of ten thousand additions; far below the shortest time between two uses. */
const ROUNDING_MS = 0.001

/** One use of one share. */
interface Use {
  readonly key: string
  /** How much time one use takes up, ms. */
  readonly costMs: number
  /** How much may be taken in advance, ms. */
  readonly aheadMs: number
  /** Until when each key's share is used up: monotonic, ms. */
  readonly used: BoundedMap<number>
}

/** Limits the rate of each key by the generic cell rate algorithm, which keeps one number per key. */
export class Limiter {
  /** False for load tests: lets everything through. */
  readonly on: boolean
  readonly #now: () => number
  readonly #used = new Map<LimitName, BoundedMap<number>>()

  /** @param now a monotonic clock in ms */
  constructor(on: boolean, now = () => performance.now()) {
    this.on = on
    this.#now = now
  }

  /**
   * Takes one use from the key's share; for an IPv6 address, also from the shares of its networks.
   *
   * @returns a function that refunds it
   * @throws Problem `too_many_requests` when a share is used up; then nothing is taken
   */
  take(name: LimitName, key: string): () => void {
    return this.takeAll([[name, key]])
  }

  /** As `take`, from several limits: from all of them or from none. */
  takeAll(keys: readonly (readonly [LimitName, string])[]): () => void {
    if (!this.on) return () => undefined
    const uses = keys.flatMap(([name, key]) => this.#uses(name, key))
    const waitMs = Math.max(...uses.map(use => this.#waitMs(use)))
    if (waitMs > 0) throw new Problem('too_many_requests', { retryAfter: Math.ceil(waitMs / 1_000) })
    for (const use of uses) this.#use(use)
    return () => {
      for (const use of uses) this.#refund(use)
    }
  }

  #uses(name: LimitName, key: string): Use[] {
    const { burst, perMinute } = LIMITS[name]
    const used = this.#keysOf(name)
    return sharesOf(key).map(({ key, times }) => {
      const costMs = MINUTE_MS / (perMinute * times)
      return { key, costMs, aheadMs: (burst * times - 1) * costMs, used }
    })
  }

  #waitMs({ key, aheadMs, used }: Use): number {
    return (used.get(key) ?? 0) - this.#now() - aheadMs - ROUNDING_MS
  }

  #use({ key, costMs, used }: Use): void {
    used.set(key, Math.max(used.get(key) ?? 0, this.#now()) + costMs)
  }

  /** Forgets a key that is as good as unused, so that names which nobody has do not displace others. */
  #refund({ key, costMs, used }: Use): void {
    const until = (used.get(key) ?? 0) - costMs
    if (until > this.#now()) used.set(key, until)
    else used.forget(key)
  }

  #keysOf(name: LimitName): BoundedMap<number> {
    const known = this.#used.get(name)
    if (known) return known
    const fresh = new BoundedMap<number>(MAX_KEYS)
    this.#used.set(name, fresh)
    return fresh
  }
}
