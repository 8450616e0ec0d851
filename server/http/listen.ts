import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net'
import os from 'node:os'
import type { FastifyInstance } from 'fastify'
import { errorCode, StartError } from '../lib/errors.ts'
import type { Env } from '../settings.mjs'

/** The values of `HOST` that open the port on every network. */
const ANYWHERE: readonly string[] = ['0.0.0.0', '::']

/** Addresses that a machine gives itself when no network has answered (RFC 3927). */
const LINK_LOCAL = /^169\.254\./

/** An address that no machine has (RFC 5737), so the route to it is the default route. */
const ELSEWHERE = '192.0.2.1'
const ANY_PORT = 9

/**
 * Returns the URLs at which other machines of the network reach this one; empty unless the server listens on
 * every network. Begins with the network of the default route, because a laptop also has addresses for virtual
 * machines. Reads the addresses again each time, because a laptop changes its network.
 */
export async function networkUrls(host: string, port: number, elsewhere = ELSEWHERE): Promise<string[]> {
  if (!ANYWHERE.includes(host)) return []
  const first = await localAddressTo(elsewhere)
  return Object.values(os.networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !LINK_LOCAL.test(address))
    .map(({ address }) => address)
    .sort((one, other) => Number(other === first) - Number(one === first))
    .map(address => `http://${address}:${port}`)
}

/** Returns this machine's address on the route to another; connecting a UDP socket sends nothing. */
function localAddressTo(target: string): Promise<string | null> {
  const socket = createSocket('udp4')
  return new Promise(resolve => {
    const done = (address: string | null) => {
      socket.close()
      resolve(address)
    }
    // Without a route, the call reports an error.
    socket.once('error', () => done(null))
    socket.once('connect', () => done(socket.address().address))
    socket.connect(ANY_PORT, target)
  })
}

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
 * Opens the port: for "localhost" at 127.0.0.1, and at ::1 where the machine has IPv6.
 *
 * @throws {StartError} when the port cannot be opened
 */
export async function listen(
  app: FastifyInstance,
  env: Pick<Env, 'host' | 'port' | 'publicUrl'>,
): Promise<Listening> {
  const { host, port, publicUrl } = env
  const { server } = app
  const twin = twinOf(server)
  app.addHook('onClose', async () => void (await Promise.all([close(server), close(twin)])))
  await app.ready()
  await open(server, nameOf(host), port).catch(error => {
    throw listenError(error, env)
  })
  const { port: opened } = server.address() as AddressInfo
  if (host === 'localhost') await open(twin, '::1', opened).catch(() => undefined)
  if (publicUrl !== null) return { url: publicUrl, networkUrls: [] }
  return { url: urlOf(host, opened), networkUrls: await networkUrls(host, opened) }
}

/** Creates a listener for a second address, whose connections the server handles as its own. */
function twinOf(server: Server): NetServer {
  const twin = createNetServer({ allowHalfOpen: true, noDelay: true })
  // Node reports the errors of a client to the listener that accepted the connection.
  for (const event of ['connection', 'clientError']) twin.on(event, (...args) => server.emit(event, ...args))
  return twin
}

async function open(server: NetServer, host: string, port: number): Promise<void> {
  server.listen({ host, port, backlog: MAX_UNACCEPTED })
  await once(server, 'listening')
}

/** Stops accepting connections, and waits for the answers in progress. */
function close(server: NetServer): Promise<void> {
  return new Promise(closed => server.close(() => closed()))
}

/**
 * Opens the port for a moment.
 *
 * @throws {StartError} when a start could not open the port
 */
export async function requireFreePort({ host, port }: Pick<Env, 'host' | 'port'>): Promise<void> {
  const probe = createNetServer()
  await open(probe, nameOf(host), port).catch(error => {
    throw listenError(error, { host, port })
  })
  await close(probe)
}

function nameOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host
}

export function urlOf(host: string, port: number): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `http://${ANYWHERE.includes(host) ? 'localhost' : name}:${port}`
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
