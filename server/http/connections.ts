import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { CONCURRENCY } from '../../contract/limits.ts'
import type { Env } from '../env.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { addressKey } from '../limits/address.ts'
import { ConcurrencyLimit } from '../limits/concurrency.ts'
import { addressMatcher } from '../limits/networks.ts'

/** Every wait on a connection is bounded. */
export const TIMEOUTS = {
  /** A whole request must arrive within this. */
  requestTimeout: 15_000,
  /** Longer than most pauses between two rounds, so that Start rarely waits for a new connection. */
  keepAliveTimeout: 75_000,
  /** A connection on which nothing moved for this long ends; a live stream is quiet for 40 s at most, two of its pings. */
  connectionTimeout: 45_000,
  /** How long a request's head may take (Node: 60 s), and how often Node checks both. */
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
}

/** Of the files this process may open, those kept for the database, the log and the API's page. */
const SPARE_FILES = 200
const SPARE_SHARE = 1 / 8

/** How long an address beyond its request limit gets no new connection, ms. */
const REFUSED_MS = 2_000
/** More addresses than exceed their limit at once. */
const MAX_REFUSED = 20_000

/** Used where the system says "unlimited", or nothing. */
const UNLIMITED_FILES = 1_000_000

/** How many files this process may open; Node has raised the limit as far as the system allows. */
function maxFiles(): number {
  const { userLimits }: { userLimits?: { open_files?: { soft?: number | string } } } =
    process.report.getReport()
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isInteger(soft) ? soft : UNLIMITED_FILES
}

/** Read once: the report takes 40 ms. */
const MAX_FILES = maxFiles()

/** The connections of a server. */
export interface Connections {
  /** Refuses an address new connections for two seconds, which further calls do not extend; open ones stay. */
  refuse(ip: string): void
  /**
   * Counts a proxy's connection as one of the visitor whose request has come on it, until another's comes or it ends: a
   * body that never comes, or an answer that nobody takes, keeps the proxy from using it for others.
   *
   * @returns false when that visitor has too many
   */
  charge(socket: Socket, ip: string): boolean
}

/**
 * Closes connections beyond the limits without an answer, which would cost what the limits save. Those of our own proxies are
 * accepted up to the total, and then counted for their visitors.
 */
export function boundConnections(server: Server, { rateLimits, trustProxy }: Env): Connections {
  const spare = Math.max(SPARE_FILES, Math.ceil(MAX_FILES * SPARE_SHARE))
  const ofAll = Math.min(CONCURRENCY.connections.ofAll, MAX_FILES - spare)
  const ofOne = Math.min(CONCURRENCY.connections.ofOne, Math.ceil(ofAll / 2))
  const limit = new ConcurrencyLimit(rateLimits, { ofOne, ofAll })
  const isProxy = addressMatcher(trustProxy || [])
  const refusedAt = new BoundedMap<number>(MAX_REFUSED)
  const isRefused = (address: string) =>
    performance.now() - (refusedAt.get(address) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS
  const releases = new WeakMap<Socket, () => void>()
  function count(socket: Socket, ip: string): boolean {
    releases.get(socket)?.()
    const release = limit.acquire(addressKey(ip))
    if (release) releases.set(socket, release)
    return release !== null
  }
  server.maxConnections = ofAll
  server.on('connection', socket => {
    const { remoteAddress } = socket
    // Reset before it was accepted: nobody is there to answer, or to count.
    if (remoteAddress === undefined) return void socket.destroy()
    socket.once('close', () => releases.get(socket)?.())
    if (isProxy(remoteAddress)) return
    if (isRefused(addressKey(remoteAddress)) || !count(socket, remoteAddress)) socket.destroy()
  })
  return {
    charge: (socket, ip) => !isProxy(socket.remoteAddress ?? '') || count(socket, ip),
    refuse(ip) {
      const address = addressKey(ip)
      if (!isRefused(address)) refusedAt.set(address, performance.now())
    },
  }
}
