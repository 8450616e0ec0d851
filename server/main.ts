import { openApp } from './app.ts'
import { connectionOf, describeAddress, withClient } from './database/connection.ts'
import { connectionError, isTransientError, rootOf } from './database/connection-errors.ts'
import { OutageError } from './database/outage.ts'
import { PREPARE_TIMEOUT, prepareDatabase, requireOwnSession } from './database/prepare.ts'
import { openEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { requireOneGame } from './embedded/installation.ts'
import { type Listening, listen } from './http/listen.ts'
import { createServer } from './http/server.ts'
import { StartError } from './lib/errors.ts'
import { type Closable, closeOnSignal, ignoreBrokenPipes, outliveTerminal } from './lib/process.ts'
import { VERSION } from './lib/project.ts'
import { announce, type Logger, logUncaughtErrors } from './log.ts'
import { loadOrCreateSecret } from './secret.ts'
import { type Env, InvalidSetting, readEnv } from './settings.mjs'

interface Program extends Closable {
  /** Prepares the database, opens the port and resolves with the addresses. */
  start(): Promise<Listening>
}

/**
 * Opens the database, reads the secret and opens the app, in this order. Closes the database again after a
 * failure.
 */
async function open(env: Env): Promise<Program> {
  const server = createServer(env)
  const { connection, close } = await openPostgres(env, server.log)
  try {
    // Creates the secret first, so that no game lacks its secret.
    const secret = await loadOrCreateSecret(env)
    const app = await openApp(env, secret, connection, server)
    return { start, close: () => app.close().finally(close) }

    async function start(): Promise<Listening> {
      if (env.databaseUrl) await requireOwnSession(connection)
      await withClient(
        connection,
        client => prepareDatabase(client, secret, server.log.info.bind(server.log)),
        PREPARE_TIMEOUT,
      )
      await app.begin()
      return listen(server, env)
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openPostgres(env: Env, log: Logger) {
  requireOneGame(env)
  const { databaseUrl, dataDir } = env
  if (databaseUrl) return { connection: connectionOf(databaseUrl), close: async () => undefined }
  const { connection, stop } = await openEmbeddedPostgres({ dataDir, log })
  return { connection, close: stop }
}

/** Shortens the error of a lost database to one line. */
function startFailure(error: unknown): Error {
  const { DATABASE_URL } = process.env
  if (error instanceof OutageError || isTransientError(rootOf(error))) {
    return connectionError(error, DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR')
  }
  return error instanceof Error ? error : new Error(String(error))
}

async function main(): Promise<void> {
  outliveTerminal()
  ignoreBrokenPipes()
  logUncaughtErrors()
  let isClosing = () => false
  let program: Promise<Program> | undefined
  try {
    const env = readEnv(process.env)
    if (!env.rateLimits) announce('warn', 'RATE_LIMITS is off; any client can flood this server')
    program = open(env)
    isClosing = closeOnSignal(program, signal => announce('info', 'TAPS has stopped', { signal }))
    const { url, networkUrls } = await (await program).start()
    announce('info', `TAPS ${VERSION} is ready at ${url}, with the game in ${describeAddress(env)}`)
    for (const network of networkUrls) announce('info', `Network: ${network}`)
  } catch (error) {
    if (isClosing()) return
    const failure = startFailure(error)
    const isExplained = failure instanceof StartError || failure instanceof InvalidSetting
    announce('error', failure.message, isExplained ? {} : { err: failure })
    await program?.then(({ close }) => close()).catch(() => undefined)
    process.exit(1)
  }
}

await main()
