import pg from 'pg'
import { createApp } from './app.ts'
import { openEmbeddedPostgres } from './database/embedded/embedded-postgres.ts'
import { hasGame, migrate } from './database/migrate.ts'
import { type Connection, clientConfig, isAway } from './database/pool.ts'
import { type Env, readEnv } from './env.ts'
import { errorCode } from './lib/files.ts'
import { closeOnSignal, outliveReaders } from './lib/signals.ts'
import { StartError } from './lib/start-error.ts'
import type { Logger } from './log.ts'
import type { Node } from './node.ts'
import { keptSecret } from './secret.ts'

const OLDEST_POSTGRES = 15

/** SQLSTATEs that say the settings do not fit the database: login, database name, rights. */
const MISFIT = /^(28...|3D000|42501)$/

/** Environment → database → migrations → services → port. What fails undoes what came before. */
async function start(env: Env): Promise<Node> {
  const app = createApp(env)
  // Most of the program is read while PostgreSQL comes up: a tenth of a second of every start.
  const program = import('./node.ts')
  const postgres = await openPostgres(env, app.log)
  try {
    const { openNode } = await program
    const secret = await prepare(env, postgres.connection)
    const node = await openNode(env, secret, postgres.connection, app)
    return { address: node.address, close: () => node.close().finally(postgres.close) }
  } catch (error) {
    await postgres.close()
    throw error
  }
}

async function openPostgres({ databaseUrl, dataDir }: Env, log: Logger) {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, close: async () => undefined }
  const { connection, stop } = await openEmbeddedPostgres({ dataDir, log })
  return { connection, close: stop }
}

/** Checks the version, finds the secret and migrates, over a connection of its own; gives the secret. */
async function prepare(env: Env, connection: Connection): Promise<string> {
  const client = new pg.Client({ ...clientConfig(connection), statement_timeout: 0, query_timeout: 0 })
  // A connection lost between two statements fails the next one, which says so.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    const version = rows[0]?.server_version ?? ''
    if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
      throw new StartError(`PostgreSQL ${OLDEST_POSTGRES} or newer is needed; DATABASE_URL is ${version}`)
    }
    // Before there is a game, so that none is ever there without its secret.
    const secret = env.secret ?? (await keptSecret(env.dataDir, () => hasGame(client)))
    await migrate(client)
    return secret
  } catch (error) {
    throw databaseError(error)
  } finally {
    await client.end()
  }
}

function databaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // A name that resolves to several addresses fails with all their errors and no message.
  const what = error.message || errorCode(error)
  if (MISFIT.test(errorCode(error))) return new StartError(`The database of DATABASE_URL refused us: ${what}`)
  if (isAway(error) || error instanceof AggregateError) {
    return new StartError(
      `The database cannot be reached (${what}); check DATABASE_URL and that it is running`,
    )
  }
  return error
}

async function main(): Promise<void> {
  outliveReaders()
  try {
    const env = readEnv(process.env)
    if (!env.rateLimits) process.stderr.write('WARNING: RATE_LIMITS is off; anybody can flood this server\n')
    const running = start(env)
    closeOnSignal(running)
    const { address } = await running
    process.stdout.write(`TAPS is ready at ${address}\n`)
  } catch (error) {
    const message =
      error instanceof StartError ? error.message : String(error instanceof Error ? error.stack : error)
    process.stderr.write(`${message}\n`)
    process.exit(1)
  }
}

await main()
