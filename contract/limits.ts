/** At most `burst` at once, then `perMinute` on the long run. */
export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/**
 * Every limit of how often, with its reason. An address has what 40 people need who play without a pause, a class behind
 * one address, and beside them one who does as much as one player may. Without a pause a round takes 3.45 s: 3 s for the
 * mean target and 0.45 s in which Start does nothing after Stop; two calls a round are 35 a minute. Networks of IPv6
 * have more, by their size (`server/limits/address.ts`). What many addresses can do together is bounded where it costs:
 * hashes take turns, batches and connections are counted. A node counts for itself: n nodes let through n times as much.
 */
export const LIMITS = {
  /**
   * Whatever one address asks for, also what is refused: 40 people who open the page at once, 20 requests each, five
   * times over; then ten requests a second each, so that one who sends hundreds leaves the others theirs.
   */
  requests: { burst: 4_000, perMinute: 24_000 },
  /** New guests of one address: 40 open the page at once, ten of them in a second browser; then one every six seconds. */
  identities: { burst: 50, perMinute: 10 },
  /** What comes to one address without a cookie or a token of ours: 40 pages open their stream before they have one. */
  strangers: { burst: 120, perMinute: 120 },
  /** Starts and stops of one player: 171 a minute fit between the slips of a hand; the burst is for what is sent again. */
  rounds: { burst: 100, perMinute: 240 },
  /** Starts and stops of one address: 39 × 35 a minute and 240 more; at once ten each. */
  roundsOfAddress: { burst: 400, perMinute: 1_610 },
  /** Reads of one player, live streams too: the page makes three whenever it is opened or shown. */
  reads: { burst: 120, perMinute: 120 },
  /** Reads of one address: 39 pages shown every six seconds and 120 more; at once twelve each, and 120 more. */
  readsOfAddress: { burst: 600, perMinute: 1_300 },
  /** Claims of one player: one a win. */
  claims: { burst: 30, perMinute: 60 },
  /** Claims of one address: 39 people who win every second round, and 60 more; at once two each, and 30 more. */
  claimsOfAddress: { burst: 110, perMinute: 400 },
  /**
   * Calls of one address that may compare a password, whatever becomes of them: a name takes up to 2 ms to check. Fifteen
   * each for a class at once, then ten a second.
   */
  logins: { burst: 600, perMinute: 600 },
  /** The same for new accounts: those who try names keep nobody from signing up. */
  signUpCalls: { burst: 600, perMinute: 600 },
  /** Passwords hashed or compared for one address, 45 ms of a core each: a class signs up, mistypes and signs in. */
  hashes: { burst: 120, perMinute: 60 },
  /** Logins of one address with names that nobody has: nothing is hashed for them. */
  unknownNames: { burst: 60, perMinute: 60 },
  /** New accounts of one address: 40 at once, half of them twice. */
  signUps: { burst: 60, perMinute: 20 },
  /** Wrong passwords for one name from one address. */
  wrongPasswords: { burst: 10, perMinute: 6 },
  /** Wrong passwords for one name from anywhere; beyond them `lastTries` counts as well. */
  wrongPasswordsOfName: { burst: 30, perMinute: 10 },
  /** For a name that is being guessed from many addresses: the owner knows the password, or mistypes it once. */
  lastTries: { burst: 2, perMinute: 0.1 },
  /** Paths that do not exist, and metrics that are not for the sender: scanners. */
  misses: { burst: 60, perMinute: 60 },
  /** What takes milliseconds to write: the contract, its page of 8 files. */
  documents: { burst: 120, perMinute: 120 },
  /** The figures, for whoever may read them: two that look every second. */
  metrics: { burst: 60, perMinute: 120 },
} as const satisfies Record<string, Rate>

export type LimitName = keyof typeof LIMITS

/** What players do often: each has a limit of the player and one of the address. */
export type PlayersLimit = 'reads' | 'rounds' | 'claims'

/** What calls about accounts are taken of: of the address alone. */
export type AddressLimit = 'logins' | 'signUpCalls'

/** How many passwords may wait to be hashed, one after the other, 45 ms each. */
export const HASH_QUEUE = {
  /** About 5 s of work: 30 addresses that fill their share. */
  ofAll: 120,
  /** While nobody else waits: a class of 40 signs up together. */
  ofAddressAlone: 40,
  ofAddress: 4,
  /** Who changes a password needs one after the other; the other is for an impatient finger. */
  ofAccount: 2,
} as const

/** How many may be open at the same time, of one address (or player, where it says so) and in all. */
export interface Concurrency {
  readonly ofAddress: number
  readonly ofAll: number
}

/** Every limit of how many at once, with its reason: of one address what 40 people need, a class or an office. */
export const CONCURRENCY = {
  /** 40 people with four windows in sight each; a hidden tab closes its stream. In all, 200 MB of memory. */
  streams: { ofAddress: 40 * 4, ofAll: 20_000 },
  /** Of one player, a window each on several devices: nobody takes the streams of the neighbours. */
  streamsOfPlayer: { ofAddress: 12, ofAll: 20_000 },
  /** Of one address without a cookie of ours: 40 pages that open theirs before they have one, twice over. */
  streamsOfStrangers: { ofAddress: 80, ofAll: 20_000 },
  /**
   * 40 people with the six that a browser opens and two that it is about to close; all streams of an address leave half of
   * them. In all, beyond every stream there are enough for those who play.
   */
  connections: { ofAddress: 40 * 8, ofAll: 30_000 },
} as const satisfies Record<string, Concurrency>
