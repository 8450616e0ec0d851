import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** What a host stands for; "localhost" often for two, of IPv4 and of IPv6, and browsers try either. */
export async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true })
  return [...new Set(found.map(({ address }) => address))]
}

/**
 * Opens the port on some addresses. What comes in at the further ones is handed to the one server, so that everything
 * counts there.
 *
 * @param port 0 lets the system choose
 * @returns what closes it again; resolves once everything in flight is answered
 * @throws the system's error when the first address cannot be had; the further ones nobody misses
 */
export async function listen(
  app: FastifyInstance,
  port: number,
  [first = '127.0.0.1', ...further]: readonly string[],
): Promise<() => Promise<void>> {
  await app.listen({ port, host: first })
  const chosen = app.server.address() as AddressInfo
  const doors = await Promise.all(further.map(address => openDoor(app, chosen.port, address)))
  return async () => {
    await Promise.all([app.close(), ...doors.map(closeDoor)])
  }
}

async function openDoor({ server }: FastifyInstance, port: number, host: string): Promise<Server | null> {
  const door = createServer({ allowHalfOpen: true, noDelay: true }, socket =>
    server.emit('connection', socket),
  )
  door.maxConnections = server.maxConnections
  door.listen(port, host)
  return once(door, 'listening').then(
    () => door,
    () => null,
  )
}

async function closeDoor(door: Server | null): Promise<void> {
  if (!door) return
  const closed = once(door, 'close')
  door.close()
  await closed
}
