import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import type { Connection } from './database/pool.ts'
import type { Env } from './env.ts'
import { addGame } from './game.ts'
import { addressesOf, listen } from './http/listen.ts'
import type { Closable } from './lib/signals.ts'
import { StartError } from './lib/start-error.ts'
import { openServices } from './services.ts'
import { ALONE, type Crew } from './workers/crew.ts'

/** What a node needs besides its settings. */
export interface Means {
  /** To a migrated database. */
  readonly connection: Connection
  readonly secret: string
}

/** One process of the game that can be reached. */
export interface Node extends Closable {
  /** Where a browser finds the game. */
  readonly address: string
}

/**
 * Opens one node: services → routes → port. What fails undoes what came before.
 *
 * @param crew the other processes of the same server
 * @throws StartError when the port cannot be had
 */
export async function openNode(
  env: Env,
  { connection, secret }: Means,
  app: FastifyInstance = createApp(env),
  crew: Crew = ALONE,
): Promise<Node> {
  const services = await openServices(env, secret, connection, app.log, crew)
  app.addHook('preClose', async () => services.endStreams())
  try {
    await addGame(app, services)
    const addresses = await addressesOf(env.host)
    const close = await listen(app, env.port, addresses).catch(error => {
      throw listenError(error, env)
    })
    const address = env.publicUrl ?? localAddress(env, app.server.address())
    return { address, close: () => close().finally(services.close) }
  } catch (error) {
    await app.close().finally(services.close)
    throw error
  }
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
