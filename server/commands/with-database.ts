import pg from 'pg'
import { openEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts'
import { type Connection, clientConfig } from '../database/pool.ts'
import type { Env } from '../env.ts'
import { StartError } from '../lib/start-error.ts'

const say = (words: unknown) => process.stderr.write(`${words}\n`)

/**
 * Lets an operator's command work on the game's database: the one of `DATABASE_URL`, or the embedded one, which
 * is used as it is while a server is up and started for the moment while none is. The schema is left as it is:
 * a backup before an upgrade is of the game before the upgrade, and a restore needs an empty place.
 *
 * The connection has no time limit on statements: whoever waits for it can see how long it takes. SIGINT and
 * SIGTERM end the connection, so that `act` fails and what was started is stopped again.
 *
 * @throws StartError when there is no database to work on; whatever `act` throws
 */
export async function withDatabase<Result>(
  env: Pick<Env, 'databaseUrl' | 'dataDir'>,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  if (env.databaseUrl) return withClient({ connectionString: env.databaseUrl }, act)
  const embedded = await openEmbeddedPostgres({
    dataDir: env.dataDir,
    log: { info: () => undefined, warn: say },
    exclusive: false,
  })
  try {
    return await withClient(embedded.connection, act)
  } finally {
    await embedded.stop()
  }
}

async function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...clientConfig(connection), statement_timeout: 0, query_timeout: 0 })
  // The statement under way fails with it and says so.
  client.on('error', () => undefined)
  const interrupt = () => void client.end()
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  try {
    await client.connect().catch(error => {
      throw new StartError(`The database cannot be reached (${error.message || error.code})`, {
        cause: error,
      })
    })
    return await act(client)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await client.end()
  }
}
