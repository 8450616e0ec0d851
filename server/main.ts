import { createApp } from './app.ts'
import { describeAddress } from './database/address.ts'
import { waitForDatabase } from './database/away.ts'
import { NO_TIMEOUT, withClient } from './database/client.ts'
import { openEmbeddedPostgres } from './database/embedded/embedded-postgres.ts'
import { hasGame } from './database/migrate.ts'
import type { Connection } from './database/pool.ts'
import { requireOwnSession } from './database/pooler.ts'
import { prepareDatabase } from './database/prepare.ts'
import { awayReason, refusal } from './database/refusal.ts'
import { type Env, readEnv } from './env.ts'
import { type Closable, closeOnSignal, ignoreBrokenPipes } from './lib/signals.ts'
import { StartError } from './lib/start-error.ts'
import { VERSION } from './lib/version.ts'
import { announce, type Logger, logUncaughtErrors } from './log.ts'
import { loadOrCreateSecret } from './secret.ts'

/** A database that has not answered by now may be away: nobody waits for the port any longer. */
const SILENCE_MS = 500

/** The program, which may be closed before it is ready. */
interface Program extends Closable {
  /** Waits for the database and serves; where a browser finds the game. */
  start(): Promise<string>
}

/** Environment → embedded database → secret → services. What fails undoes what came before. */
async function open(env: Env): Promise<Program> {
  const app = createApp(env)
  // Most of the program is read while PostgreSQL comes up: a tenth of a second of every start.
  const program = import('./node.ts')
  const { connection, close } = await openPostgres(env, app.log)
  try {
    const { openNode } = await program
    const hasPlayers = () => withClient(connection, client => hasGame(client))
    // Before there is a game, so that none is ever there without its secret.
    const secret = env.secret ?? (await loadOrCreateSecret(env.dataDir, hasPlayers))
    const node = await openNode(env, secret, connection, app)
    return { start, close: () => node.close().finally(close) }

    async function start(): Promise<string> {
      const early = setTimeout(() => void node.listen().catch(() => undefined), SILENCE_MS)
      const prepare = async () => {
        if (env.databaseUrl) await reach(connection)
        clearTimeout(early)
        await withClient(connection, client => prepareDatabase(client, secret), NO_TIMEOUT)
      }
      await waitForDatabase(prepare, node.listen, app.log).finally(() => clearTimeout(early))
      await node.begin()
      return node.listen()
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openPostgres({ databaseUrl, dataDir }: Env, log: Logger) {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, close: async () => undefined }
  const { connection, stop } = await openEmbeddedPostgres({ dataDir, log })
  return { connection, close: stop }
}

/** Connects to a database that is not ours. */
async function reach(connection: Connection): Promise<void> {
  await requireOwnSession(connection).catch(error => {
    throw awayReason(error) === null ? refusal(error) : error
  })
}

function sayingWhenClosed(program: Program): Closable {
  return { close: () => program.close().then(() => announce('info', 'TAPS has stopped')) }
}

async function main(): Promise<void> {
  ignoreBrokenPipes()
  logUncaughtErrors()
  let isClosing = () => false
  let program: Promise<Program> | undefined
  try {
    const env = readEnv(process.env)
    if (!env.rateLimits) announce('warn', 'RATE_LIMITS is off; anybody can flood this server')
    program = open(env)
    isClosing = closeOnSignal(program.then(sayingWhenClosed))
    const address = await (await program).start()
    announce('info', `TAPS ${VERSION} is ready at ${address}, with the game in ${describeAddress(env)}`)
  } catch (error) {
    // Whoever stops it while it starts has not to be told what did not come about.
    if (isClosing()) return
    const failure = error instanceof Error ? error : new Error(String(error))
    announce('error', failure.message, failure instanceof StartError ? undefined : failure)
    await program?.then(({ close }) => close()).catch(() => undefined)
    process.exit(1)
  }
}

await main()
