export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/**
 * Limits on how often something may be done; each node counts by itself. An address is an IPv4 address or a
 * /64 of IPv6. It may do what a class of 40 needs that plays without a pause.
 */
export const LIMITS = {
  /** Requests of one address: 40 people open the page twice, 20 requests each; then five a second each. */
  requests: { burst: 1_600, perMinute: 12_000 },
  /** New guests of one address: 40 people, ten with a second browser; then one every six seconds. */
  guests: { burst: 50, perMinute: 10 },
  /** Calls of one player: a hand makes at most 171 Starts and Stops a minute. The rest is for reads. */
  calls: { burst: 150, perMinute: 300 },
  /** Calls of one address: 40 people, 60 a minute each, and one player beyond that. */
  callsOfAddress: { burst: 800, perMinute: 2_700 },
  /** Password comparisons of one address, 45 ms of a core each: three for each of a class. */
  logins: { burst: 120, perMinute: 60 },
  signUps: { burst: 120, perMinute: 30 },
  wrongPasswords: { burst: 10, perMinute: 6 },
  /** Wrong passwords for one name from all addresses. Beyond them each address has `lastTries`. */
  wrongPasswordsOfName: { burst: 30, perMinute: 10 },
  /** Wrong passwords of one address for a name under attack: its owner may mistype once. */
  lastTries: { burst: 2, perMinute: 0.1 },
} as const satisfies Record<string, Rate>

export type LimitName = keyof typeof LIMITS

/** The limit of an endpoint: `calls` counts for the player and the address, the others for the address. */
export type EndpointLimit = 'calls' | 'logins' | 'signUps'

/** How many passwords may wait to be hashed: 120 are about 5 s of work. */
export const HASH_QUEUE = {
  ofAll: 120,
  ofAddress: 40,
  ofUser: 2,
} as const

export const CONNECTIONS = {
  /** 40 people with eight each, as browsers open. A proxy may have more. */
  ofAddress: 40 * 8,
  ofAll: 30_000,
} as const

export const STREAMS = {
  ofPlayer: 12,
  /** 40 people with four visible windows each. */
  ofAddress: 40 * 4,
  /** The rest is for play. 20,000 streams need 200 MB of memory. */
  shareOfConnections: 2 / 3,
} as const
