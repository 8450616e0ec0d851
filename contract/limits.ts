export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/**
 * Rate limits; each node counts separately. An address is an IPv4 address or an IPv6 /64, and its limits
 * allow for 40 people.
 */
export const LIMITS = {
  /**
   * Requests per address: 40 people each load the page twice, with 20 requests per load. Then each person
   * sends five requests a second.
   */
  requests: { burst: 1_600, perMinute: 12_000 },
  /** New guests per address: enough for 40 people, if ten of them use a second browser. */
  guests: { burst: 50, perMinute: 10 },
  /** Calls per player: 171 Starts and Stops a minute, plus reads. */
  calls: { burst: 150, perMinute: 300 },
  /** Calls per address: 40 people with 60 calls a minute each, plus one player at the full rate. */
  callsOfAddress: { burst: 800, perMinute: 2_700 },
  /** Password checks per address: three for each of 40 people. A check takes 45 ms of processor time. */
  logins: { burst: 120, perMinute: 60 },
  signUps: { burst: 120, perMinute: 30 },
  wrongPasswords: { burst: 10, perMinute: 6 },
  /** Wrong passwords per name from all addresses; beyond this limit each address has `lastTries`. */
  wrongPasswordsOfName: { burst: 30, perMinute: 10 },
  /** Wrong passwords per address for a name under attack: the owner may mistype once. */
  lastTries: { burst: 2, perMinute: 0.1 },
} as const satisfies Record<string, Rate>

export type LimitName = keyof typeof LIMITS

/** All limits count per address; `calls` counts per player too. */
export type EndpointLimit = 'calls' | 'logins' | 'signUps'

/** Limits on waiting passwords; hashing 120 passwords takes 5 s. */
export const HASH_QUEUE = {
  ofAll: 120,
  ofAddress: 40,
} as const

export const CONNECTIONS = {
  /** Connections per address, except proxies: eight for each of 40 browsers. */
  ofAddress: 40 * 8,
  ofAll: 30_000,
} as const

export const STREAMS = {
  ofPlayer: 12,
  /** Streams per address: four visible windows for each of 40 people. */
  ofAddress: 40 * 4,
  /** All streams: two thirds of the connections; the rest is for play. */
  ofAll: 20_000,
} as const
