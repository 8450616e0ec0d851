import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/**
 * Opens a TCP connection to a server, for sending any bytes.
 *
 * @throws Error when the connection is refused
 */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return socket
}
