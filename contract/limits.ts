/** At most `burst` together, and `perMinute` in the long run. */
export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/**
 * Every limit on how often something may be done, with its reason. An address is an IPv4 address or a /64 of IPv6. It may do
 * what 40 people need who play without a pause, such as a class. Each node counts by itself.
 */
export const LIMITS = {
  /** All requests of one address: 40 people who open the page, 20 requests each, twice. Then five a second each. */
  requests: { burst: 1_600, perMinute: 12_000 },
  /** New guests of one address: 40 people, ten of them in a second browser. Then one every six seconds. */
  guests: { burst: 50, perMinute: 10 },
  /** Calls of one player: no hand makes more than 171 Starts and Stops a minute. The rest is for reads and repeats. */
  calls: { burst: 150, perMinute: 300 },
  /** Calls of one address: 40 people, 60 a minute each, of which 35 play. The rest is for one player beyond that. */
  callsOfAddress: { burst: 800, perMinute: 2_700 },
  /** Calls of one address that compare a password, 45 ms of a core each: three for each of a class. */
  logins: { burst: 120, perMinute: 60 },
  /** Calls of one address that make an account: three for each of a class. */
  signUps: { burst: 120, perMinute: 30 },
  /** Wrong passwords for one name from one address. */
  wrongPasswords: { burst: 10, perMinute: 6 },
  /** Wrong passwords for one name from all addresses. Beyond them each address has `lastTries`. */
  wrongPasswordsOfName: { burst: 30, perMinute: 10 },
  /** Wrong passwords of an address for a name that is guessed from many: its owner mistypes once at most. */
  lastTries: { burst: 2, perMinute: 0.1 },
} as const satisfies Record<string, Rate>

export type LimitName = keyof typeof LIMITS

/** What a call is charged to: `calls` counts for the player and the address, the others for the address. */
export type CallLimit = 'calls' | 'logins' | 'signUps'

/** How many passwords may wait to be hashed, one after the other, 45 ms each. */
export const HASH_QUEUE = {
  /** About 5 s of work. */
  ofAll: 120,
  /** A class may sign up together. */
  ofAddress: 40,
  /** One is needed at a time; the second allows for an impatient finger. */
  ofUser: 2,
} as const

/** How many connections may be open. */
export const CONNECTIONS = {
  /** 40 people with the six that a browser opens, and two that it is about to close. A proxy may have more. */
  ofAddress: 40 * 8,
  ofAll: 30_000,
} as const

/** How many live streams may be open. */
export const STREAMS = {
  /** A window on each of several devices. */
  ofPlayer: 12,
  /** 40 people with four visible windows each: a hidden tab closes its stream. */
  ofAddress: 40 * 4,
  /** The rest of the connections is for play. 20,000 streams need 200 MB of memory. */
  shareOfConnections: 2 / 3,
} as const
