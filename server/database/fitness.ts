import type { ClientBase } from 'pg'
import { StartError } from '../lib/start-error.ts'

/** A major version. */
export const OLDEST_POSTGRES = 15

/** The database can be read and not written to, such as the standby of another; that may change. */
export class ReadOnly extends Error {
  constructor() {
    super('it is read-only')
    this.name = 'ReadOnly'
  }
}

/**
 * Looks at what a connection leads to.
 *
 * @throws StartError when it is older than the game can use
 * @throws ReadOnly
 */
export async function requireSupportedPostgres(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; writable: boolean }>(
    `select current_setting('server_version') as version,
      not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
  )
  const { version = '', writable = false } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
    throw new StartError(`PostgreSQL ${OLDEST_POSTGRES} or newer is needed; DATABASE_URL is ${version}`)
  }
  if (!writable) throw new ReadOnly()
}
