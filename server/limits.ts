import { Refusal } from './problem.ts'

/** At most `burst` at once, then `perMinute` on the long run. */
interface Limit {
  readonly burst: number
  readonly perMinute: number
}

/**
 * Every limit of the server with its reason. One address may be a whole school, so limits per address are
 * wide; what one player can do is narrow.
 */
export const LIMITS = {
  /** New guests of one address: 300 pupils open the page at once; fishing for short targets gets slow. */
  identities: { burst: 300, perMinute: 120 },
  /** Starts and stops of one player: a round takes a second at least; the burst is for retries. */
  rounds: { burst: 100, perMinute: 300 },
  /** Starts and stops of one address: 300 pupils with two calls every three seconds. */
  roundsOfAddress: { burst: 2_000, perMinute: 12_000 },
  /** Logins of one address, right or wrong: each costs 45 ms of a core. */
  logins: { burst: 60, perMinute: 60 },
  /** Wrong passwords for one name from one address: guessing is slow, and nobody else is locked out. */
  wrongPasswords: { burst: 10, perMinute: 6 },
  /** New accounts of one address. */
  signUps: { burst: 60, perMinute: 20 },
  claims: { burst: 30, perMinute: 60 },
  /** Reads of one address. */
  reads: { burst: 2_000, perMinute: 6_000 },
  /** Live streams opened by one address: a school comes back after a restart. */
  streams: { burst: 600, perMinute: 600 },
  /** Addresses that do not exist: scanners. */
  misses: { burst: 60, perMinute: 60 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS

/** Keys remembered per limit; the longest unused go first. About 10 MB for all limits together. */
const MOST_KEYS = 20_000

const MINUTE_MS = 60_000

/** Counts what each key does, by the generic cell rate algorithm: one number per key. */
export class Limits {
  readonly #on: boolean
  readonly #now: () => number
  readonly #used = new Map<LimitName, Map<string, number>>()

  /**
   * @param on false lets everything through (load tests)
   * @param now a monotonic clock in ms
   */
  constructor(on: boolean, now = () => performance.now()) {
    this.#on = on
    this.#now = now
  }

  /** @throws Refusal `too_many_requests` when the key has used up its share */
  take(name: LimitName, key: string): void {
    const wait = this.#waitMs(name, key)
    if (wait > 0) throw tooMany(wait)
    if (!this.#on) return
    const { perMinute } = LIMITS[name]
    const used = this.#keys(name)
    const usedUntil = Math.max(used.get(key) ?? 0, this.#now()) + MINUTE_MS / perMinute
    used.delete(key)
    used.set(key, usedUntil)
    const oldest = used.keys().next()
    if (used.size > MOST_KEYS && !oldest.done) used.delete(oldest.value)
  }

  /** As `take`, but takes nothing. */
  check(name: LimitName, key: string): void {
    const wait = this.#waitMs(name, key)
    if (wait > 0) throw tooMany(wait)
  }

  #waitMs(name: LimitName, key: string): number {
    if (!this.#on) return 0
    const { burst, perMinute } = LIMITS[name]
    const usedUntil = this.#keys(name).get(key) ?? 0
    return usedUntil - this.#now() - ((burst - 1) * MINUTE_MS) / perMinute
  }

  #keys(name: LimitName): Map<string, number> {
    const known = this.#used.get(name)
    if (known) return known
    const fresh = new Map<string, number>()
    this.#used.set(name, fresh)
    return fresh
  }
}

function tooMany(waitMs: number): Refusal {
  return new Refusal('too_many_requests', { retryAfter: Math.ceil(waitMs / 1_000) })
}

/** What stands for an address in a limit: IPv4 whole, IPv6 by its /64, which is one household or one host. */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  return `${[...groups, ...zeros, ...rest].slice(0, 4).join(':')}::/64`
}
