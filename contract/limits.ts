export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/** Requests per address: 400 people load the page within seconds, with 20 requests each, then keep playing. */
const REQUESTS: Rate = { burst: 8_000, perMinute: 36_000 }

/**
 * Rate limits; each node counts separately. An address is an IPv4 address or an IPv6 /64, and its limits
 * allow for a hall of 400 people. What bounds guessing of passwords does not grow with the hall.
 */
export const LIMITS = {
  /** All requests per address, except reads by pages of other sites. */
  requests: REQUESTS,
  /** Public reads per address by pages of other sites, which cannot use up the limit of the game itself. */
  reads: REQUESTS,
  /** New guests per address: enough for 400 people, if a quarter of them use a second browser. */
  guests: { burst: 500, perMinute: 100 },
  /** Calls per player: 171 Starts and Stops a minute, plus reads. */
  calls: { burst: 150, perMinute: 300 },
  /** Password checks per address, also by a sign-up with a taken name. A check takes 45 ms of processor time. */
  logins: { burst: 120, perMinute: 60 },
  /**
   * Password changes and deletions per user, right or wrong. Guesses by strangers at the user's address do not count.
   */
  ownPasswords: { burst: 10, perMinute: 6 },
  /**
   * The same calls per address, charged after `ownPasswords`: many accounts at one address must not fill the queue.
   */
  ownPasswordsOfAddress: { burst: 120, perMinute: 60 },
  /** Sign-ups per address: 400 people within ten minutes. */
  signUps: { burst: 400, perMinute: 40 },
  /** Wrong passwords per address and name. */
  wrongPasswords: { burst: 10, perMinute: 6 },
  /** Wrong passwords per name from all addresses; beyond this limit each address has `lastTries`. */
  wrongPasswordsOfName: { burst: 30, perMinute: 10 },
  /** Wrong passwords per address for a name under attack: the owner may mistype once. */
  lastTries: { burst: 2, perMinute: 0.1 },
} as const satisfies Record<string, Rate>

export type LimitName = keyof typeof LIMITS

/**
 * The limits of endpoints: `calls` and `ownPasswords` count per player, the others per address. `reads` marks
 * public reads. Every endpoint that hashes a password has a limit per address.
 */
export type EndpointLimit = 'calls' | 'logins' | 'ownPasswords' | 'reads' | 'signUps'

/** Limits on waiting passwords; hashing 120 passwords takes 5 s. */
export const HASH_QUEUE = {
  ofAll: 120,
  ofAddress: 40,
} as const

export const CONNECTIONS = {
  /** Connections per address, except proxies: eight for each of 400 browsers. */
  ofAddress: 400 * 8,
  ofAll: 30_000,
} as const

/** Streams per address: four visible windows for each of 400 people. Pages of other sites have as many. */
export const STREAMS_OF_ADDRESS = 400 * 4
