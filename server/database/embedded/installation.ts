import { readFile } from 'node:fs/promises'
import { makeDataDir } from '../../lib/files.ts'
import type { Connection } from '../pool.ts'
import { type Account, chooseAccount } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { makeCluster } from './cluster.ts'
import { type Paths, pathsIn, ROLE, SOCKET_PORT, socketFolder } from './paths.ts'

/** The one that the game is in. */
export const GAME_DATABASE = 'taps'

/** All that is needed to run PostgreSQL and to connect to it. */
export interface Installation {
  readonly paths: Paths
  readonly binaries: Binaries
  readonly account: Account
  readonly socket: string
  readonly password: string
  /** Settings of PostgreSQL that replace ours. */
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Makes everything that is not there yet.
 *
 * @throws StartError when it cannot be made
 */
export async function install(
  dataDir: string,
  settings: Installation['settings'],
  others?: Binaries,
): Promise<Installation> {
  await makeDataDir(dataDir)
  const binaries = others ?? (await findBinaries())
  const paths = await pathsIn(dataDir)
  const account = await chooseAccount(paths.home)
  await makeCluster(paths, binaries, account)
  const socket = await socketFolder(paths.home, account)
  const password = (await readFile(paths.password, 'utf8')).trim()
  return { paths, binaries, account, socket, password, settings }
}

/** To one of its databases, through a socket that only this account can open. */
export function connectionTo(database: string, { socket, password }: Installation): Connection {
  return { host: socket, port: SOCKET_PORT, user: ROLE, password, database, ssl: false }
}
