import type { FastifyInstance } from 'fastify'
import { createApp, type LogStream } from '../../server/app.ts'
import type { Connection } from '../../server/database/pool.ts'
import { type Env, readEnv } from '../../server/env.ts'
import { addRoutes } from '../../server/routes.ts'
import { openServices, type Services } from '../../server/services.ts'

/** Known to the tests, so that they can forge tokens and cookies. */
export const TEST_SECRET = 'a secret that only tests know, 32 or more'

/** The lowest cost of bcrypt, 1 ms instead of 45: these tests are not about guessing passwords. */
const TUNING = { hashCost: 4 }

/** One node of the game, listening on a free port of this machine. */
export interface TestGame {
  readonly url: string
  readonly app: FastifyInstance
  readonly services: Services
  /** Closes it; may be called repeatedly. */
  close(): Promise<void>
}

/** Starts a node on a migrated database. Its clock tolerance is unlimited unless a test sets one, so nobody waits. */
export async function startGame(
  connection: Connection,
  settings: Partial<Env> = {},
  log?: LogStream,
): Promise<TestGame> {
  const env: Env = {
    ...readEnv({ RATE_LIMITS: 'off', CLOCK_TOLERANCE_MS: '600000' }),
    ...settings,
  }
  const app = createApp(env, log ?? { write: () => undefined })
  const services = await openServices(env, TEST_SECRET, connection, app.log, TUNING)
  await addRoutes(app, services)
  await services.begin()
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  let closed: Promise<void> | undefined
  return { url, app, services, close: () => (closed ??= closeAll()) }

  async function closeAll(): Promise<void> {
    await app.close()
    await services.close()
  }
}
