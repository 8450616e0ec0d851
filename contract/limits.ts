/** At most `burst` at once, and `perMinute` in the long run. */
export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/**
 * Every limit on how often something may be done, with its reason. An address may do what 40 people need who play without
 * a pause, such as a class behind one address, plus as much as one player may do. A round without a pause takes 3.45 s:
 * 3 s for the mean target, and 0.45 s after Stop in which Start does nothing. At two calls a round that is 35 calls a
 * minute. Networks of IPv6 have more, by their size (`server/limits/address.ts`). What all addresses do together is bounded
 * elsewhere: hashes are queued, batches and connections are limited. Each node counts by itself, so n nodes allow n times
 * as much.
 */
export const LIMITS = {
  /**
   * All requests of one address, also those that are refused, but for calls of players served lately. At once: 40 people
   * who open the page, 20 requests each, twice. Then five requests a second each; ten addresses that do as much, with the
   * costliest requests, leave a core room.
   */
  requests: { burst: 1_600, perMinute: 12_000 },
  /** New guests of one address. At once: 40, ten of them in a second browser. Then one every six seconds. */
  identities: { burst: 50, perMinute: 10 },
  /** Calls of one address without a cookie or token of ours: 40 pages open their stream before they have one. */
  strangers: { burst: 120, perMinute: 120 },
  /** Starts and stops of one player: 171 a minute fit between the slips of a hand. The burst allows for repeats. */
  rounds: { burst: 100, perMinute: 240 },
  /** Starts and stops of one address: 39 × 35 a minute, and 240 more. At once: ten each. */
  roundsOfAddress: { burst: 400, perMinute: 1_610 },
  /** Reads of one player, live streams included: the page makes three whenever it is opened or shown. */
  reads: { burst: 120, perMinute: 120 },
  /** Reads of one address: 39 pages shown every six seconds, and 120 more. At once: twelve each, and 120 more. */
  readsOfAddress: { burst: 600, perMinute: 1_300 },
  /** Claims of one player: one for each win. */
  claims: { burst: 30, perMinute: 60 },
  /** Claims of one address: 39 people who win every second round, and 60 more. At once: two each, and 30 more. */
  claimsOfAddress: { burst: 110, perMinute: 400 },
  /**
   * Calls of one address that may compare a password, also those refused before: name and password take up to 6 ms to
   * check. At once: three for each of a class. Then ten a second.
   */
  logins: { burst: 120, perMinute: 600 },
  /** The same for new accounts, counted apart: somebody who tries names keeps nobody from signing up. */
  signUpCalls: { burst: 120, perMinute: 600 },
  /** Passwords hashed or compared for one address, 45 ms of a core each: a class signs up, mistypes, signs in. */
  hashes: { burst: 120, perMinute: 60 },
  /** Logins of one address with names that nobody has: nothing is hashed for them. */
  unknownNames: { burst: 60, perMinute: 60 },
  /** New accounts of one address. At once: 40, half of them twice. */
  signUps: { burst: 60, perMinute: 20 },
  /** Wrong passwords for one name from one address. */
  wrongPasswords: { burst: 10, perMinute: 6 },
  /** Wrong passwords for one name from all addresses. Beyond them each address has `lastTries`. */
  wrongPasswordsOfName: { burst: 30, perMinute: 10 },
  /** Wrong passwords of an address for a name that is guessed from many: its owner mistypes once at most. */
  lastTries: { burst: 2, perMinute: 0.1 },
  /** Paths that do not exist, and metrics that the sender may not read: the mark of scanners. */
  misses: { burst: 60, perMinute: 60 },
  /** Answers that take milliseconds to write: the OpenAPI document and its page of 8 files. */
  documents: { burst: 120, perMinute: 120 },
  /** Metrics, for those who may read them: two collectors that ask every second. */
  metrics: { burst: 60, perMinute: 120 },
} as const satisfies Record<string, Rate>

export type LimitName = keyof typeof LIMITS

/** Limits that are counted twice: for the player, and for the address. */
export type PlayersLimit = 'reads' | 'rounds' | 'claims'

/** Limits of calls about accounts, counted for the address alone. */
export type AddressLimit = 'logins' | 'signUpCalls'

/** How many passwords may wait to be hashed, one after the other, 45 ms each. */
export const HASH_QUEUE = {
  /** About 5 s of work: 30 addresses with a full share each. */
  ofAll: 120,
  /** While nobody else waits: a class of 40 may sign up together. */
  ofAddressAlone: 40,
  ofAddress: 4,
  /** One is needed at a time; the second allows for an impatient finger. */
  ofAccount: 2,
} as const

/** How many may be open at the same time, for one address (or one player, where it says so) and in all. */
export interface Concurrency {
  readonly ofOne: number
  readonly ofAll: number
}

/** Every limit on how many may be open at once, with its reason. An address has what 40 people need. */
export const CONCURRENCY = {
  /** 40 people with four visible windows each: a hidden tab closes its stream. All together need 200 MB of memory. */
  streams: { ofOne: 40 * 4, ofAll: 20_000 },
  /** For one player, a window on each of several devices: nobody uses up the streams of their neighbours. */
  streamsOfPlayer: { ofOne: 12, ofAll: 20_000 },
  /** For one address, of those without a cookie of ours: 40 pages open their stream before they have one, twice. */
  streamsOfStrangers: { ofOne: 80, ofAll: 20_000 },
  /**
   * 40 people with the six that a browser opens, and two that it is about to close. Even with all its streams open, an
   * address has half of them left. In all, there are enough left for play beside all streams.
   */
  connections: { ofOne: 40 * 8, ofAll: 30_000 },
} as const satisfies Record<string, Concurrency>
