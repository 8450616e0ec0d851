import { LIMITS, type LimitName } from '../../contract/limits.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { Problem } from '../problem.ts'
import { sharesOf } from './address.ts'

/** Keys remembered per limit: at most 90 MB for all of them, full of the longest names there can be. */
const MAX_KEYS = 20_000

const MINUTE_MS = 60_000
/** What ten thousand additions are off by at most; far below the least time between two uses. */
const ROUNDING_MS = 0.001

/** One use of one share. */
interface Use {
  readonly name: LimitName
  readonly key: string
  /** What one use takes of the time, ms. */
  readonly costMs: number
  /** What may be used ahead of the time, ms. */
  readonly aheadMs: number
  /** By key, until when its share is used, monotonic ms. */
  readonly used: BoundedMap<number>
}

/** Counts what each key does, by the generic cell rate algorithm: one number per key. */
export class Limiter {
  /** False lets everything through (load tests). */
  readonly on: boolean
  readonly #now: () => number
  readonly #used = new Map<LimitName, BoundedMap<number>>()

  /** @param now a monotonic clock in ms */
  constructor(on: boolean, now = () => performance.now()) {
    this.on = on
    this.#now = now
  }

  /**
   * Uses a part of the key's share; of an address of IPv6, also of the shares of its networks.
   *
   * @returns its undo, for a use that turned out not to count
   * @throws Problem `too_many_requests` when a share is used up; nothing is taken then
   */
  take(name: LimitName, key: string): () => void {
    return this.takeAll([[name, key]])
  }

  /** As `take`, of several limits: of all of them or of none. */
  takeAll(keys: readonly (readonly [LimitName, string])[]): () => void {
    if (!this.on) return () => undefined
    const uses = keys.flatMap(([name, key]) => this.#uses(name, key))
    let longest = { waitMs: 0, limit: undefined as LimitName | undefined }
    for (const use of uses) {
      const waitMs = this.#waitMs(use)
      if (waitMs > longest.waitMs) longest = { waitMs, limit: use.name }
    }
    const { waitMs, limit } = longest
    if (limit) throw new Problem('too_many_requests', { retryAfter: Math.ceil(waitMs / 1_000), limit })
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
      return { name, key, costMs, aheadMs: (burst * times - 1) * costMs, used }
    })
  }

  #waitMs({ key, aheadMs, used }: Use): number {
    return (used.get(key) ?? 0) - this.#now() - aheadMs - ROUNDING_MS
  }

  #use({ key, costMs, used }: Use): void {
    used.set(key, Math.max(used.get(key) ?? 0, this.#now()) + costMs)
  }

  /** What is as good as never used is forgotten, so that names which nobody has, once tried, push out no others. */
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
