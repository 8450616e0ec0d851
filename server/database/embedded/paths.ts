import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, lstat, mkdir, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../../lib/start-error.ts'
import type { Account } from './account.ts'

/** The longest path of a socket: 108 bytes with the final zero on Linux, 104 elsewhere. */
const socketPathMaxBytes = () => (process.platform === 'linux' ? 107 : 103)

/** The one role of the cluster. */
export const ROLE = 'taps'

/** Only a part of the socket's name: nothing listens on a port. */
export const SOCKET_PORT = 5432

/** In the data folder. */
const HOME = 'postgres'

/** Where the parts of an embedded PostgreSQL are; all absolute, without symbolic links. */
export interface Paths {
  /** In the data folder. Holds all the rest; it appears by one rename, complete. */
  readonly home: string
  /** PostgreSQL's own data directory. */
  readonly cluster: string
  readonly password: string
  readonly log: string
}

/** True when there has been a start on this data folder, so that it has a database. */
export function isMade(dataDir: string): boolean {
  return existsSync(join(dataDir, HOME))
}

/** The places inside a data folder that is there. */
export async function pathsIn(dataDir: string): Promise<Paths> {
  return pathsOf(join(await realpath(dataDir), HOME))
}

/** The places of a PostgreSQL at home in this folder. */
export function pathsOf(home: string): Paths {
  return {
    home,
    cluster: join(home, 'cluster'),
    password: join(home, 'password'),
    log: join(home, 'postgres.log'),
  }
}

/**
 * The folder of the socket, for its owner only: beside the cluster, or, where that path is too long for a
 * socket, one under the system's temporary folder whose name follows from the path.
 *
 * @throws StartError when somebody else has put something there
 */
export async function socketFolder(home: string, { uid, gid }: Account): Promise<string> {
  const near = join(home, 'socket')
  const fits = Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_PORT}`)) <= socketPathMaxBytes()
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16)
  const folder = fits ? near : join(tmpdir(), `taps-${hash}`)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await chown(folder, uid, gid)
  const found = await lstat(folder)
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return folder
  throw new StartError(
    `${folder} is not a folder of ours alone: delete it, or set DATA_DIR to a shorter path`,
  )
}
