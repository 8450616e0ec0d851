import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Connection } from './database/pool.ts'
import type { Env } from './env.ts'
import { addressesOf, listen, urlOf } from './http/listen.ts'
import { errorCode } from './lib/files.ts'
import type { Closable } from './lib/signals.ts'
import { StartError } from './lib/start-error.ts'
import { addRoutes } from './routes.ts'
import { openServices } from './services.ts'

/** One process that serves the game. */
export interface Node extends Closable {
  /**
   * Opens the port.
   *
   * @returns the address at which a browser finds the game
   * @throws StartError when the port cannot be opened
   */
  listen(): Promise<string>
  /** Starts background work, once the database is migrated. */
  begin(): Promise<void>
}

/** Opens one node, services → routes. A failure closes what was opened before it. */
export async function openNode(
  env: Env,
  secret: string,
  connection: Connection,
  app: FastifyInstance,
): Promise<Node> {
  const services = await openServices(env, secret, connection, app.log)
  try {
    await addRoutes(app, services)
    return {
      listen: () => openPort(env, app),
      begin: services.begin,
      close: () => app.close().finally(services.close),
    }
  } catch (error) {
    await app.close().finally(services.close)
    throw error
  }
}

async function openPort(env: Env, app: FastifyInstance): Promise<string> {
  const addresses = await addressesOf(env.host)
  await listen(app, env.port, addresses).catch(error => {
    throw listenError(error, env)
  })
  const { port } = app.server.address() as AddressInfo
  return env.publicUrl ?? urlOf(env.host, port)
}

function listenError(error: unknown, { port, host }: Env): unknown {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} is taken; set PORT to a free one`)
  if (code === 'EACCES') return new StartError(`Port ${port} may not be opened; set PORT to one above 1023`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`HOST ${host} is not an address of this machine; set HOST to localhost or 0.0.0.0`)
  }
  return error
}
