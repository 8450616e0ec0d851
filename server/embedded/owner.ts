import { dirname } from 'node:path'
import pg from 'pg'
import { errorCode, StartError } from '../lib/errors.ts'
import { connectionTo, GAME_DATABASE, type Installation } from './installation.ts'

/** A database that exists even before the game's own database. */
const MAINTENANCE_DATABASE = 'postgres'

/** The advisory lock of the folder's owner; an arbitrary number. */
export const OWNER_LOCK = 7_427_002
/** The longest time that PostgreSQL may take to notice a killed owner. */
const LOCK_PATIENCE_MS = 1_500
/** PostgreSQL's code for a lock that was not free in time. */
const LOCKED = '55P03'
const CONNECT_TIMEOUT_MS = 2_000
const QUERY_TIMEOUT_MS = 30_000

export class AlreadyOwned extends StartError {}

/** A connection, `busy` while PostgreSQL starts or stops, or `absent` when PostgreSQL is not running. */
export type Answer = pg.Client | 'busy' | 'absent'

/**
 * Tries to connect once.
 *
 * @throws {StartError} when PostgreSQL refuses the role, password or database
 */
export async function tryConnect(installation: Installation): Promise<Answer> {
  const client = new pg.Client({
    ...connectionTo(MAINTENANCE_DATABASE, installation),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (cause) {
    await client.end().catch(() => undefined)
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent'
    const isRefused = cause instanceof pg.DatabaseError && /^(28|3D)/.test(cause.code ?? '')
    if (!isRefused) return 'busy'
    const { home } = installation.paths
    throw new StartError(`The database in ${home} refuses the login: ${message}`, { cause })
  }
}

/**
 * Takes ownership of the data folder for as long as this connection lives.
 *
 * @param isPatient - Whether the owner may have been killed just now.
 * @throws {AlreadyOwned}
 */
export async function takeOwnership(
  client: pg.Client,
  { paths }: Installation,
  isPatient: boolean,
): Promise<void> {
  await client.query(`set lock_timeout = ${isPatient ? LOCK_PATIENCE_MS : 1}`)
  await client.query('select pg_advisory_lock($1)', [OWNER_LOCK]).catch(error => {
    if (errorCode(error) !== LOCKED) throw error
    throw new AlreadyOwned(
      `TAPS or one of its commands is already running on this data folder (${dirname(paths.home)}): stop it first, or set DATA_DIR to another`,
    )
  })
}

export async function makeDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [GAME_DATABASE])
  if (rowCount === 0) await client.query(`create database ${GAME_DATABASE}`)
}
