import pg from 'pg'
import { openEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts'
import { isMade } from '../database/embedded/paths.ts'
import { hasGame } from '../database/migrate.ts'
import { type Connection, clientConfig } from '../database/pool.ts'
import type { Env } from '../env.ts'
import { StartError } from '../lib/start-error.ts'

type Work<Result> = (client: pg.Client) => Promise<Result>

const warn = (words: unknown) => process.stderr.write(`${words}\n`)

/**
 * Lets a command work on the game's database: the one of `DATABASE_URL`, or the embedded one, which is used as it is
 * while a server is up and started for the moment while none is. The schema is left as it is: a backup before an
 * upgrade is of the game before the upgrade, and a restore needs an empty place.
 *
 * The connection has no time limit on statements: whoever waits for it can see how long it takes. SIGINT and
 * SIGTERM end the connection, so that `work` fails and what was started is stopped again.
 *
 * @throws StartError when there is no database to work on; whatever `work` throws
 */
export async function withDatabase<Result>(env: Env, work: Work<Result>): Promise<Result> {
  if (env.databaseUrl) return withClient({ connectionString: env.databaseUrl }, work)
  const log = { info: () => undefined, warn }
  const embedded = await openEmbeddedPostgres({ dataDir: env.dataDir, log, exclusive: false })
  try {
    return await withClient(embedded.connection, work)
  } finally {
    await embedded.stop()
  }
}

/**
 * As `withDatabase`, on a database that holds a game.
 *
 * @throws StartError when nobody has ever played, or could have, on it
 */
export async function withGame<Result>(env: Env, work: Work<Result>): Promise<Result> {
  // Only to find nothing in it, no database is made.
  if (!env.databaseUrl && !isMade(env.dataDir)) {
    throw new StartError(`There is no game in ${env.dataDir}: nothing to do`)
  }
  return withDatabase(env, async client => {
    if (!(await hasGame(client))) throw new StartError('There is no game in this database: nothing to do')
    return work(client)
  })
}

async function withClient<Result>(connection: Connection, work: Work<Result>): Promise<Result> {
  const client = new pg.Client({ ...clientConfig(connection), statement_timeout: 0, query_timeout: 0 })
  // The statement under way fails with it and says so.
  client.on('error', () => undefined)
  const interrupt = () => void client.end()
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  try {
    await client.connect().catch(error => {
      const reason = error.message || error.code
      throw new StartError(`The database cannot be reached (${reason})`, { cause: error })
    })
    return await work(client)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await client.end()
  }
}
