import { Client } from '../support/client.ts'
import { PASSWORD } from '../support/page-player.ts'
import type { GameServer } from './server.ts'

let names = 0

/** Returns a name that no other test of this run uses. */
export function newName(): string {
  names += 1
  return `Tester ${process.pid} ${names}`
}

/** Creates an account with the password `PASSWORD` through the API; returns the account's name. */
export async function makeAccount(server: GameServer, username = newName()): Promise<string> {
  const { status } = await new Client(server.url).createAccount(username, PASSWORD)
  if (status !== 201) throw new Error(`The server answered ${status} instead of creating an account`)
  return username
}
