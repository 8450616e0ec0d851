import type { ClientBase } from 'pg'
import { StartError } from '../lib/start-error.ts'

/** The oldest major version that is supported. */
const OLDEST_POSTGRES = 15

/** The database is read-only for now, as a standby is until it is promoted. */
export class ReadOnly extends Error {
  constructor() {
    super('it is read-only')
    this.name = 'ReadOnly'
  }
}

/**
 * Checks the version of PostgreSQL, that it accepts writes, and that names of any script can be written: one that cannot
 * fails a whole batch of attempts.
 *
 * @throws StartError when it is too old, or has another encoding than UTF-8
 * @throws ReadOnly
 */
export async function requireSupportedPostgres(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string; writable: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
  )
  const { version = '', encoding, writable = false } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
    throw new StartError(`PostgreSQL ${OLDEST_POSTGRES} or newer is needed; DATABASE_URL is ${version}`)
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database must have the encoding UTF8, it has ${encoding}: createdb --encoding=UTF8`,
    )
  }
  if (!writable) throw new ReadOnly()
}
