import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SILENT } from '../database/outage-log.ts'

/** Connections that may wait to be accepted: of more, a system drops some, which a proxy's players notice for seconds. */
const MAX_UNACCEPTED = 4_096

/** The addresses of a host: "localhost" often has two, IPv4 and IPv6, and browsers try either. */
export async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true })
  return [...new Set(found.map(({ address }) => address))]
}

/** The address under which a browser on this machine finds this host and port. */
export function urlOf(host: string, port: number): string {
  const anywhere = host === '0.0.0.0' || host === '::'
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${anywhere ? 'localhost' : name}:${port}`
}

/**
 * Opens the port on these addresses. Connections to the further ones are handed to the server of the first: the second server
 * that Fastify opens for localhost has none of our limits, and a close does not wait for its answers (fastify#7043).
 *
 * @param port - 0 lets the system choose.
 * @throws The system's error when the first address cannot be opened, or another program has the port at a further one.
 */
export async function listen(
  app: FastifyInstance,
  port: number,
  [first = '127.0.0.1', ...further]: readonly string[],
): Promise<void> {
  const forwarders: NetServer[] = []
  let closed: Promise<unknown> = Promise.resolve()
  app.addHook('preClose', async () => {
    closed = Promise.all(forwarders.map(server => new Promise(resolve => server.close(resolve))))
  })
  app.addHook('onClose', () => closed)
  await app.listen({ port, host: first, backlog: MAX_UNACCEPTED, listenTextResolver: () => SILENT })
  const chosen = app.server.address() as AddressInfo
  for (const host of further) {
    const forwarder = await openForwarder(app, chosen.port, host)
    if (forwarder) forwarders.push(forwarder)
  }
}

async function openForwarder(
  { server }: FastifyInstance,
  port: number,
  host: string,
): Promise<NetServer | null> {
  const options = { allowHalfOpen: true, noDelay: true }
  const forwarder = createServer(options, socket => server.emit('connection', socket))
  forwarder.maxConnections = server.maxConnections
  forwarder.listen(port, host, MAX_UNACCEPTED)
  try {
    await once(forwarder, 'listening')
    return forwarder
  } catch (error) {
    // Not an address of this machine, which may have no IPv6.
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return null
    throw error
  }
}
