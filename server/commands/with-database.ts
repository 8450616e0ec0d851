import type pg from 'pg'
import { connectionOf, describeAddress } from '../database/address.ts'
import { NO_TIMEOUT, withClient } from '../database/client.ts'
import { hasGame } from '../database/migrate.ts'
import { openEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { hasCluster } from '../embedded/installation.ts'
import { StartError } from '../lib/start-error.ts'
import type { Env } from '../settings.mjs'
import type { Call } from './command.ts'
import { interruptible } from './interruptible.ts'

type Work<Result> = (client: pg.Client) => Promise<Result>

const warn = (message: unknown) => process.stderr.write(`${message}\n`)

/**
 * Runs work on the game's database without migrating it. Starts the embedded PostgreSQL if it is not running.
 *
 * @throws {StartError} when the database cannot be reached, or on a stop signal
 * @throws the error of `work`
 */
export function withDatabase<Result>(env: Env, work: Work<Result>): Promise<Result> {
  return interruptible(async signal => {
    const options = { ...NO_TIMEOUT, signal }
    if (env.databaseUrl) return withClient(connectionOf(env.databaseUrl), work, options)
    const embedded = await openEmbeddedPostgres({ dataDir: env.dataDir, log: { warn }, exclusive: false })
    try {
      return await withClient(embedded.connection, work, options)
    } finally {
      await embedded.stop()
    }
  })
}

/**
 * Runs work on a database that contains a game, after printing the address of the game.
 *
 * @throws {StartError} when there is no game
 */
export async function withGame<Result>({ env, tell }: Call, work: Work<Result>): Promise<Result> {
  // Checks first, because opening the database would create an empty cluster.
  if (!env.databaseUrl && !hasCluster(env.dataDir)) {
    throw new StartError(`There is no game in ${env.dataDir}: nothing to do`)
  }
  return withDatabase(env, async client => {
    if (!(await hasGame(client)))
      throw new StartError(`There is no game in ${describeAddress(env)}: nothing to do`)
    const { rows } = await client.query<{ count: number }>('select count(*)::float8 as count from users')
    tell(`${describeAddress(env)}, ${(rows[0]?.count ?? 0).toLocaleString('en')} accounts`)
    return work(client)
  })
}
