import type { Server } from 'node:http'
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
  /** Longer than a player thinks between two rounds, so that Start rarely pays for a new connection. */
  keepAliveTimeout: 75_000,
  /** Nothing has moved on a connection, in either direction, for longer than a live stream is ever quiet. */
  connectionTimeout: 120_000,
  /** Node looks this often at requests that have arrived in part; of a head it would wait for longer. */
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
}

/** Of the files that this process may have open, those for the database, the log and the page of the contract. */
const SPARE_FILES = 200
const SPARE_SHARE = 1 / 8

/** How long an address that asks for too much gets no further connection, ms. */
const REFUSED_MS = 2_000
/** More than ask for too much at once. */
const MAX_REFUSED = 20_000

/** Where the system says "unlimited", or nothing. */
const UNLIMITED_FILES = 1_000_000

/** How many files this process may have open; Node has raised that as far as the system lets it. */
function maxFiles(): number {
  const { userLimits }: { userLimits?: { open_files?: { soft?: number | string } } } =
    process.report.getReport()
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isInteger(soft) ? soft : UNLIMITED_FILES
}

/** Asked for once: the report takes 40 ms. */
const MAX_FILES = maxFiles()

/** The connections of a server. */
export interface Connections {
  /** Gives an address no further connection for two seconds, which nothing makes longer; those it has stay. */
  refuse(ip: string): void
}

/**
 * Closes connections beyond what there is room for, without a word: an answer would cost what the limit saves. One of
 * our own proxies may have as many as there is room for in all.
 *
 * @param onClosed told of each that there was no room for
 */
export function boundConnections(
  server: Server,
  { rateLimits, trustProxy }: Env,
  onClosed: () => void,
): Connections {
  const spare = Math.max(SPARE_FILES, Math.ceil(MAX_FILES * SPARE_SHARE))
  const ofAll = Math.min(CONCURRENCY.connections.ofAll, MAX_FILES - spare)
  const ofAddress = Math.min(CONCURRENCY.connections.ofAddress, Math.ceil(ofAll / 2))
  const limit = new ConcurrencyLimit(rateLimits, { ofAddress, ofAll })
  const isProxy = addressMatcher(trustProxy || [])
  const refusedAt = new BoundedMap<number>(MAX_REFUSED)
  const isRefused = (address: string) =>
    performance.now() - (refusedAt.get(address) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS
  server.maxConnections = ofAll
  server.on('connection', socket => {
    const { remoteAddress = '' } = socket
    if (isProxy(remoteAddress)) return
    const address = addressKey(remoteAddress)
    const release = isRefused(address) ? null : limit.acquire(address)
    if (release) return void socket.once('close', release)
    socket.destroy()
    onClosed()
  })
  return {
    refuse(ip) {
      const address = addressKey(ip)
      if (!isRefused(address)) refusedAt.set(address, performance.now())
    },
  }
}
