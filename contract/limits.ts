export interface Rate {
  readonly burst: number
  readonly perMinute: number
}

/** Requests per address: 400 people load the page within seconds, with 20 requests each, then keep playing. */
const REQUESTS: Rate = { burst: 8_000, perMinute: 36_000 }

/**
 * Rate limits; each node counts separately. An address is an IPv4 address or an IPv6 /64, and its limits
 * allow for a hall of 400 people.
 */
export const LIMITS = {
  /** All requests per address, except public reads. */
  requests: REQUESTS,
  /** Public reads per address, which pages of other sites send too. */
  reads: REQUESTS,
  /** New guests per address: enough for 400 people, if a quarter of them use a second browser. */
  guests: { burst: 500, perMinute: 100 },
  /** Calls per player: 171 Starts and Stops a minute, plus reads. */
  calls: { burst: 150, perMinute: 300 },
  /**
   * Calls with a password per address: 400 people sign up or log in within minutes. A password takes 45 ms of
   * processor time.
   */
  passwords: { burst: 400, perMinute: 60 },
  /** Wrong passwords per address and name. */
  wrongPasswords: { burst: 10, perMinute: 6 },
} as const satisfies Record<string, Rate>

export type LimitName = keyof typeof LIMITS

/** The limits of endpoints: `calls` counts per player, the others per address. */
export type EndpointLimit = 'calls' | 'passwords' | 'reads'

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

/** Streams per address: four visible windows for each of 400 people. */
export const STREAMS_OF_ADDRESS = 400 * 4
