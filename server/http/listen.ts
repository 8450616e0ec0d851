import { setDefaultResultOrder } from 'node:dns'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SILENT } from '../database/outage-log.ts'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import type { Env } from '../settings.mjs'
import { isAnywhere, networkUrls } from './network.ts'

/**
 * The most connections that may wait to be accepted. The system drops further connections, which delays
 * players behind a proxy for seconds.
 */
const MAX_UNACCEPTED = 4_096

export interface Listening {
  /** The URL to open in a browser. */
  readonly url: string
  /** The URLs for other machines of the network, when `PUBLIC_URL` names none. */
  readonly networkUrls: readonly string[]
}

/**
 * Opens the port. Resolves "localhost" to 127.0.0.1 before ::1, because our limits apply only to the first
 * address.
 *
 * @throws {StartError} when the port cannot be opened
 */
export async function listen(
  app: FastifyInstance,
  env: Pick<Env, 'host' | 'port' | 'publicUrl'>,
): Promise<Listening> {
  const { host, port, publicUrl } = env
  setDefaultResultOrder('ipv4first')
  await app.listen({ host, port, backlog: MAX_UNACCEPTED, listenTextResolver: () => SILENT }).catch(error => {
    throw listenError(error, env)
  })
  if (publicUrl !== null) return { url: publicUrl, networkUrls: [] }
  const opened = (app.server.address() as AddressInfo).port
  return { url: urlOf(host, opened), networkUrls: networkUrls(host, opened) }
}

export function urlOf(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${isAnywhere(host) ? 'localhost' : name}:${port}`
}

function listenError(error: unknown, { port, host }: Pick<Env, 'host' | 'port'>): unknown {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return new StartError(`Port ${port} is taken; set PORT to a free one`)
  if (code === 'EACCES') return new StartError(`Port ${port} may not be opened; set PORT to one above 1023`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`HOST ${host} is not an address of this machine; set HOST to localhost or 0.0.0.0`)
  }
  return error
}
