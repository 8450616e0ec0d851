import { fileURLToPath } from 'node:url'
import { TYPESCRIPT } from '../helper.ts'

/** Who tells the viewers. */
export interface Sender {
  readonly name: string
  /** What Node runs to send on what the game's server sends; the server itself tells them without it. */
  readonly relay?: readonly string[]
}

const RELAY = fileURLToPath(new URL('relay.ts', import.meta.url))

export const TAPS: Sender = { name: 'TAPS' }
/** The least that it costs. */
export const BARE: Sender = {
  name: 'bare `node:net`',
  relay: ['--import', TYPESCRIPT, RELAY],
}
