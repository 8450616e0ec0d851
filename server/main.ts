import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { addGame, createApp } from './app.ts'
import { type Connection, clientConfig, isAway } from './db.ts'
import { openEmbeddedPostgres } from './embedded-postgres.ts'
import { type Env, readEnv } from './env.ts'
import type { Logger } from './log.ts'
import { migrate } from './migrate.ts'
import { keptSecret } from './secret.ts'
import { openServices } from './services.ts'
import { StartError } from './start-error.ts'

/** Everything is closed within this; what still hangs then is cut off. */
const CLOSE_TIMEOUT_MS = 10_000

const OLDEST_POSTGRES = 15

/** SQLSTATEs that say the settings do not fit the database: login, database name, rights. */
const MISFIT = /^(28...|3D000|42501)$/

interface Running {
  /** Where a browser finds the game. */
  readonly address: string
  close(): Promise<void>
}

/** Environment → database → migrations → services → routes → port. What fails undoes what came before. */
async function start(env: Env): Promise<Running> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const app = createApp(env)
    const { connection, stop } = await openPostgres(env, app.log)
    undo.push(stop)
    await prepare(connection)
    const services = await openServices(
      env,
      env.secret ?? (await keptSecret(env.dataDir)),
      connection,
      app.log,
    )
    undo.push(services.close)
    app.addHook('preClose', async () => services.endStreams())
    await addGame(app, services)
    undo.push(() => app.close())
    await app.listen({ port: env.port, host: env.host }).catch(error => {
      throw listenError(error, env)
    })
    return { address: env.publicUrl ?? localAddress(env, app.server.address()), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openPostgres(
  env: Env,
  log: Logger,
): Promise<{ connection: Connection; stop: () => Promise<void> }> {
  if (!env.databaseUrl) return openEmbeddedPostgres({ dataDir: env.dataDir, log })
  return { connection: { connectionString: env.databaseUrl }, stop: async () => undefined }
}

/** Checks the version and migrates, over a connection of its own. */
async function prepare(connection: Connection): Promise<void> {
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
    await migrate(client)
  } catch (error) {
    throw databaseError(error)
  } finally {
    await client.end()
  }
}

function databaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A name that resolves to several addresses fails with all their errors and no message.
  const what = error.message || code
  if (MISFIT.test(code)) return new StartError(`The database of DATABASE_URL refused us: ${what}`)
  if (isAway(error) || error instanceof AggregateError) {
    return new StartError(
      `The database cannot be reached (${what}); check DATABASE_URL and that it is running`,
    )
  }
  return error
}

function listenError(error: unknown, { port, host }: Env): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} is taken; set PORT to a free one`)
  if (code === 'EACCES') return new StartError(`Port ${port} may not be opened; set PORT to one above 1023`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`HOST ${host} is not an address of this machine; set HOST to localhost or 0.0.0.0`)
  }
  return error
}

function localAddress({ host }: Env, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' ? address?.port : ''
  const anywhere = host === '0.0.0.0' || host === '::'
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${anywhere ? 'localhost' : name}:${port}`
}

function closeOnSignal(running: Promise<Running>): void {
  let closing = false
  // A signal may come twice: from the terminal and from npm. The second one changes nothing.
  const close = async () => {
    if (closing) return
    closing = true
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref()
    await running.then(game => game.close())
    process.exit(0)
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
}

/** Whoever read our output may go: that must end neither the game nor, by a crash, its care for the database. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
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
