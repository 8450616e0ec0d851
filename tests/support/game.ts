import type { FastifyInstance } from 'fastify'
import { type App, openApp } from '../../server/app.ts'
import type { Connection } from '../../server/database/connection.ts'
import { recordSecret } from '../../server/database/fingerprint.ts'
import { listen } from '../../server/http/listen.ts'
import { createServer, type LogStream } from '../../server/http/server.ts'
import { type Env, readEnv } from '../../server/settings.mjs'
import { withClient } from './connect.ts'

/** The secret with which tests can forge tokens and cookies. */
export const TEST_SECRET = 'a secret that only tests know, 32 or more'

const OPTIONS = {
  /** The lowest cost of bcrypt, which takes 1 ms instead of 45 ms. */
  hashCost: 4,
  /** So long that a busy machine is no outage. */
  outageMs: 600_000,
}

export interface TestGame {
  readonly url: string
  readonly server: FastifyInstance
  readonly app: App
  /** Closes the node; may be called repeatedly. */
  close(): Promise<void>
}

/** Closes nodes. First closes the spare connections of `fetch`, for which a server would wait 5 s. */
export async function closeGames(games: readonly TestGame[]): Promise<void> {
  for (const { server } of games) server.server.close().closeAllConnections()
  await Promise.all(games.map(game => game.close()))
}

/** Starts a node on a migrated database. The default clock tolerance lets tests play without waiting. */
export async function startGame(
  connection: Connection,
  settings: Partial<Env> = {},
  log?: LogStream,
): Promise<TestGame> {
  const env: Env = {
    ...readEnv({ RATE_LIMITS: 'off', CLOCK_TOLERANCE_MS: '600000' }),
    ...settings,
  }
  const server = createServer(env, log ?? { write: () => undefined })
  const app = await openApp(env, TEST_SECRET, connection, server, OPTIONS)
  await withClient(connection, client => recordSecret(client, TEST_SECRET))
  await app.begin()
  const { url } = await listen(server, { port: 0, host: '127.0.0.1', publicUrl: null })
  let closed: Promise<void> | undefined
  return { url, server, app, close: () => (closed ??= app.close()) }
}
