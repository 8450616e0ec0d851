import type { ClientBase } from 'pg'
import { StartError } from '../lib/start-error.ts'

const OLDEST_POSTGRES = 15

/**
 * Checks PostgreSQL's version and encoding, and that PostgreSQL accepts writes. Encodings other than UTF8
 * cannot store every name.
 *
 * @throws {StartError} when a check fails
 */
export async function requireSupportedPostgres(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string; writable: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
  )
  const { version = '', encoding, writable = false } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
    throw new StartError(
      `PostgreSQL ${OLDEST_POSTGRES} or newer is needed; DATABASE_URL points to ${version}`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database must have the encoding UTF8, not ${encoding}: createdb --encoding=UTF8`,
    )
  }
  if (!writable) {
    throw new StartError('The database is read-only; set DATABASE_URL to the primary')
  }
}
