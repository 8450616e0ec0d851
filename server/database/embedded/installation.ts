import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createDataDir, errorCode, syncFolder } from '../../lib/files.ts'
import { StartError } from '../../lib/start-error.ts'
import type { Connection } from '../pool.ts'
import {
  type Account,
  type Binaries,
  chooseSystemUser,
  findBinaries,
  lastErrorLine,
  spawnAs,
} from './programs.ts'

/** The database that the game is in. */
export const GAME_DATABASE = 'taps'
/** The one role of the cluster. */
const ROLE = 'taps'
/** Only a part of the socket's name: nothing listens on a port. */
export const SOCKET_PORT = 5432

/** In the data folder. */
const HOME = 'postgres'
const DRAFT = `${HOME}.new-`
const PASSWORD_BYTES = 24
/** A new cluster takes 47 MB, and its log of changes keeps 80 MB to write over. */
const NEEDED_MIB = 128

/** Where the parts of an embedded PostgreSQL are; all absolute, without symbolic links. */
export interface Paths {
  /** In the data folder. Holds all the rest; it appears by one rename, complete. */
  readonly home: string
  /** PostgreSQL's own data directory. */
  readonly cluster: string
  readonly password: string
  readonly log: string
}

/** All that is needed to run PostgreSQL and to connect to it. */
export interface Installation {
  readonly paths: Paths
  readonly binaries: Binaries
  readonly account: Account
  readonly socket: string
  readonly password: string
}

/** True when there has been a start on this data folder, so that it has a database. */
export function hasCluster(dataDir: string): boolean {
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
 * Makes everything that is not there yet. The cluster is made aside and appears by one rename, password and all: a kill in
 * the middle leaves nothing half made, and of two first starts one wins.
 *
 * @throws StartError when it cannot be made, or is of another major version
 */
export async function install(dataDir: string, others?: Binaries): Promise<Installation> {
  await createDataDir(dataDir)
  const binaries = others ?? (await findBinaries())
  const paths = await pathsIn(dataDir)
  const account = await chooseSystemUser(paths.home)
  if (!existsSync(paths.home)) await makeHome(paths, binaries, account)
  await requireVersion(paths, binaries)
  const socket = await socketFolder(paths.home, account)
  const password = (await readFile(paths.password, 'utf8')).trim()
  return { paths, binaries, account, socket, password }
}

/** To one of its databases, through a socket that only this account can open. */
export function connectionTo(database: string, { socket, password }: Installation): Connection {
  return { host: socket, port: SOCKET_PORT, user: ROLE, password, database, ssl: false }
}

/** Deletes what starts that were killed while making a cluster left behind. For the owner of the folder only. */
export async function sweepDrafts({ home }: Paths): Promise<void> {
  const dataDir = dirname(home)
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT)) continue
    // A start beside ours that came too late may still write into its own: that is for the next one to sweep.
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function makeHome({ home }: Paths, binaries: Binaries, account: Account): Promise<void> {
  const dataDir = dirname(home)
  await requireRoom(dataDir)
  const draft = pathsOf(join(dataDir, `${DRAFT}${randomUUID()}`))
  try {
    await mkdir(draft.home, { mode: 0o700 })
    await writeFile(draft.password, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`, { mode: 0o600 })
    if (account.uid !== process.geteuid?.()) await chownTo(account, dataDir, [draft.home, draft.password])
    await initialise(draft, binaries, account)
    await syncFolder(draft.home)
    await rename(draft.home, home)
    await syncFolder(dataDir)
  } catch (cause) {
    await rm(draft.home, { recursive: true, force: true })
    // Another start was faster, and may even have swept our draft away.
    if (existsSync(home)) return
    if (cause instanceof StartError) throw cause
    throw new StartError(`Cannot make a database in ${dataDir} (${errorCode(cause)})`, { cause })
  }
}

/** What initdb says of a full disk is not to be understood. */
async function requireRoom(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = Math.floor((bavail * bsize) / 2 ** 20)
  if (free >= NEEDED_MIB) return
  throw new StartError(
    `Cannot make a database in ${dataDir}: it takes ${NEEDED_MIB} MB at first, and ${free} MB are free`,
  )
}

/** Lets another account own its files and reach them, and nothing else in the data folder. */
async function chownTo({ uid, gid }: Account, dataDir: string, paths: readonly string[]): Promise<void> {
  await chmod(dataDir, 0o711)
  for (const path of paths) await chown(path, uid, gid)
}

/** Runs initdb, which also writes everything through to the disk. */
async function initialise(draft: Paths, { initdb }: Binaries, account: Account): Promise<void> {
  const options = [
    `--pgdata=${draft.cluster}`,
    `--username=${ROLE}`,
    `--pwfile=${draft.password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]
  const child = spawnAs(account, initdb, options, { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  // Rejects when the program cannot be run at all.
  const [code] = await once(child, 'close')
  if (code === 0) return
  throw new StartError(`Cannot make a database in ${draft.home}: ${lastErrorLine(output, account)}`)
}

async function requireVersion({ home, cluster }: Paths, { major }: Binaries): Promise<void> {
  const file = join(cluster, 'PG_VERSION')
  const version = await readFile(file, 'utf8').catch(cause => {
    throw new StartError(`Cannot read ${file} (${errorCode(cause)}): start as the user who owns it`, {
      cause,
    })
  })
  if (version.trim() === major) return
  throw new StartError(
    `The data in ${home} is of PostgreSQL ${version.trim()}, but this release brings ${major}: ` +
      `go back to the release that made it, or set DATA_DIR to a new folder`,
  )
}

/**
 * The folder of the socket, for its owner only: beside the cluster, or, where that path is too long for a
 * socket, one under the system's temporary folder whose name follows from the path.
 *
 * @throws StartError when somebody else has put something there
 */
export async function socketFolder(home: string, { uid, gid }: Account): Promise<string> {
  const near = join(home, 'socket')
  // 108 bytes with the final zero on Linux, 104 elsewhere.
  const most = process.platform === 'linux' ? 107 : 103
  const fits = Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_PORT}`)) <= most
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
