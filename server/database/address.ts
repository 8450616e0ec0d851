import pg from 'pg'
import { StartError } from '../lib/start-error.ts'
import { DATABASE_ADDRESS, type Env } from '../settings.mjs'
import type { Connection } from './pool.ts'

/**
 * Returns the connection to the database of an address.
 *
 * @throws {StartError} when the driver objects to the address, such as to a missing certificate
 */
export function connectionOf(databaseUrl: string): Connection {
  try {
    new pg.Client({ connectionString: databaseUrl })
    return { connectionString: databaseUrl }
  } catch (error) {
    const flaw = error instanceof Error ? error.message : String(error)
    throw new StartError(`DATABASE_URL is not usable: expected ${DATABASE_ADDRESS} (${flaw})`)
  }
}

/** Describes where a game is stored, without the password. */
export function describeAddress({ databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>): string {
  if (!databaseUrl) return dataDir
  const { user, host, port, database } = new pg.Client({ connectionString: databaseUrl })
  return `postgres://${user}@${host}:${port}/${database}`
}
