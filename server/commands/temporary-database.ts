import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inDatabase } from '../database/address.ts'
import type { Env } from '../env.ts'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { withClient, withServer } from './with-database.ts'

const PREFIX = 'taps_throwaway_'
/** A name tells when it was made. A younger one may be another call's, between its making and its use. */
const LEFTOVER_MS = 3_600_000

/**
 * Runs work on a new, empty database beside the game's and drops it afterwards, even when interrupted. One that a kill left
 * behind is dropped by a call an hour later.
 *
 * @throws StartError when the role may not create databases; whatever `work` throws
 */
export function withTemporaryDatabase<Result>(
  env: Env,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withServer(env, async (connection, signal) => {
    const name = `${PREFIX}${Date.now()}_${randomUUID().replaceAll('-', '')}`
    await withClient(connection, client => make(client, name), signal)
    try {
      return await withClient(inDatabase(connection, name), work, signal)
    } finally {
      await withClient(connection, client => client.query(`drop database if exists ${name} with (force)`))
    }
  })
}

async function make(client: pg.Client, name: string): Promise<void> {
  await dropLeftovers(client)
  await client.query(`create database ${name} template template0 encoding 'UTF8'`).catch(error => {
    if (errorCode(error) !== '42501') throw error
    throw new StartError(
      'The role of DATABASE_URL may not make the database that this needs for a moment: ' +
        'let it (ALTER ROLE … CREATEDB), or set DATABASE_URL to a server where it may',
      { cause: error },
    )
  })
}

/** Databases in use, or of another role, are left alone. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database
    where substring(datname from $1)::bigint < $2 and pg_has_role(datdba, 'usage')
    and datname not in (select datname from pg_stat_activity where datname is not null)`,
    [`^${PREFIX}(\\d{13})_[0-9a-f]{32}$`, Date.now() - LEFTOVER_MS],
  )
  for (const { datname } of rows) await client.query(`drop database if exists ${datname}`)
}
