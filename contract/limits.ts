/** At most `burst` at once, then `perMinute` on the long run. */
export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/** A rate for each key, and one for all keys of a node together where many keys could do harm. */
export interface Limit extends Rate {
  readonly ofAll?: Rate
}

/**
 * Every limit of how often, with its reason. One address may be a whole school of 300 pupils, so limits of addresses
 * are wide; what one player can do is narrow; what all can do together is what a node of two cores bears. A node counts
 * for itself: n nodes let through n times as much.
 */
export const LIMITS = {
  /** Whatever one address asks for: 300 pupils load the page (ten calls each), then play (two calls in 3 s). */
  requests: { burst: 10_000, perMinute: 36_000 },
  /** New guests of one address: 300 open the page at once; fishing for short targets gets slow. */
  identities: { burst: 300, perMinute: 120, ofAll: { burst: 10_000, perMinute: 60_000 } },
  /** Starts and stops of one player: a round takes a second at least; the burst is for what is sent again. */
  rounds: { burst: 100, perMinute: 300 },
  /** Starts and stops of one address; of all, most of what a core serves: attempts are kept for good. */
  roundsOfAddress: { burst: 2_000, perMinute: 12_000, ofAll: { burst: 20_000, perMinute: 240_000 } },
  /** Logins of one address, right or wrong. Each costs 45 ms of a core: of all, two thirds of one core. */
  logins: { burst: 60, perMinute: 60, ofAll: { burst: 300, perMinute: 900 } },
  /** Wrong passwords for one name from one address. */
  wrongPasswords: { burst: 10, perMinute: 6 },
  /** Wrong passwords for one name from anywhere; beyond them `lastTries` counts as well. */
  wrongPasswordsOfName: { burst: 30, perMinute: 10 },
  /** For a name that is being guessed from many addresses: the owner knows the password, or mistypes it once. */
  lastTries: { burst: 2, perMinute: 0.1 },
  /** New accounts of one address; of all, what the disk bears for months. */
  signUps: { burst: 60, perMinute: 20, ofAll: { burst: 300, perMinute: 600 } },
  /** Claims of one player: one a win. */
  claims: { burst: 30, perMinute: 60 },
  /** Claims of one address; of all, each locks the pool for a millisecond. */
  claimsOfAddress: { burst: 600, perMinute: 1_200, ofAll: { burst: 3_000, perMinute: 12_000 } },
  /** Reads of one address; of all, many share one read of the database. */
  reads: { burst: 2_000, perMinute: 6_000, ofAll: { burst: 50_000, perMinute: 600_000 } },
  /** Live streams opened by one address, and by all: all come back after a restart. */
  streams: { burst: 600, perMinute: 600, ofAll: { burst: 20_000, perMinute: 60_000 } },
  /** Paths that do not exist, and metrics that are not for the sender: scanners. */
  misses: { burst: 60, perMinute: 60, ofAll: { burst: 6_000, perMinute: 6_000 } },
  /** What takes milliseconds to write: the figures, the contract, its page of 8 files. */
  documents: { burst: 120, perMinute: 120, ofAll: { burst: 600, perMinute: 600 } },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS

/** How many may be open at the same time, of one address and in all. */
export interface Concurrency {
  readonly ofAddress: number
  readonly ofAll: number
}

/** Every limit of how many at once, with its reason. */
export const CONCURRENCY = {
  /** 300 pupils with two windows each; a hidden tab closes its stream. In all, 200 MB of memory. */
  streams: { ofAddress: 600, ofAll: 20_000 },
  /** A browser opens six; 300 of them. In all, beyond every stream there are enough for those who play. */
  connections: { ofAddress: 2_000, ofAll: 30_000 },
} as const satisfies Record<string, Concurrency>
