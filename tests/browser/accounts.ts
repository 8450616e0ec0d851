import { Client } from '../support/client.ts'
import { PASSWORD } from '../support/page-player.ts'
import type { GameServer } from './server.ts'

let names = 0

/** A name that no other test of this run uses. */
export function newName(): string {
  names += 1
  return `Tester ${process.pid} ${names}`
}

/** Creates an account from another browser; returns its name. Its password is `PASSWORD`. */
export async function makeAccount(server: GameServer, username = newName()): Promise<string> {
  const { status } = await new Client(server.url).createAccount(username, PASSWORD)
  if (status !== 201) throw new Error(`No account was made: ${status}`)
  return username
}
