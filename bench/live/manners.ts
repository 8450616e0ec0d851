import { once } from 'node:events'
import type { Socket } from 'node:net'

/** How a viewer asks for the events: the way of our page, or of Socket.IO's client over WebSocket. */
export type Manner = 'events' | 'socket.io'

const EVENTS = 'GET /api/live HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n'

const UPGRADE = [
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
  'host: localhost',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n')

/** Packets of Engine.IO and Socket.IO: join the main namespace; the server asks whether we are there; we are. */
const JOIN = frame('40')
const PING = Buffer.from([0x81, 1, '2'.charCodeAt(0)])
const PONG = frame('3')

/** Introduces a viewer; resolves when the server has answered. */
export async function greet(socket: Socket, manner: Manner): Promise<void> {
  socket.write(manner === 'events' ? EVENTS : UPGRADE)
  await once(socket, 'data')
  if (manner === 'events') return
  socket.write(JOIN)
  socket.on('data', (bytes: Buffer) => {
    if (bytes.length === PING.length && bytes.equals(PING)) socket.write(PONG)
  })
}

/** A short text frame of a client, whose mask may be all zeros. */
function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}
