import { fileURLToPath } from 'node:url'
import { TYPESCRIPT } from '../helper.ts'
import { RIVALS } from '../install.ts'
import type { Manner } from './manners.ts'

/** Who tells the viewers. */
export interface Sender {
  readonly name: string
  /** How its viewers ask. */
  readonly manner: Manner
  /** What Node runs to send on what the game's server sends; the server itself tells them without it. */
  readonly relay?: readonly string[]
}

const RELAY = fileURLToPath(new URL('relay.ts', import.meta.url))

export const TAPS: Sender = { name: 'TAPS', manner: 'events' }
export const SOCKET_IO: Sender = {
  name: 'Socket.IO',
  manner: 'socket.io',
  relay: [fileURLToPath(new URL('socket.io.mjs', RIVALS))],
}
/** The least that it costs. */
export const BARE: Sender = {
  name: 'bare `node:net`',
  manner: 'events',
  relay: ['--import', TYPESCRIPT, RELAY],
}
