import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Connection } from '../database/connection.ts'
import { errorCode, StartError } from '../lib/errors.ts'
import { createDataDir, readError, syncFolder } from '../lib/files.ts'
import { NEEDS_TERMINAL } from '../lib/process.ts'
import { VERSION } from '../lib/project.ts'
import type { Env } from '../settings.mjs'
import {
  type Binaries,
  chooseSystemUser,
  errorLine,
  findBinaries,
  type SystemUser,
  spawnAs,
} from './programs.ts'

export const GAME_DATABASE = 'taps'
const ROLE = 'taps'
/** The number in the socket's name; PostgreSQL opens no port. */
export const SOCKET_PORT = 5432

const HOME = 'postgres'
const PASSWORD_BYTES = 24

/** The paths of an embedded PostgreSQL; absolute, without symbolic links. */
export interface Paths {
  /** The folder that contains the other paths. */
  readonly home: string
  readonly cluster: string
  readonly password: string
  readonly log: string
}

export interface Installation {
  readonly paths: Paths
  readonly binaries: Binaries
  readonly user: SystemUser
  readonly socket: string
  readonly password: string
}

export function hasCluster(dataDir: string): boolean {
  return existsSync(join(dataDir, HOME))
}

/**
 * Refuses a database next to an embedded one. Otherwise a new, empty game would seem to have replaced the players'
 * game.
 *
 * @throws {StartError} when the data folder holds a game, and `DATABASE_URL` is set
 */
export function requireOneGame({ databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>): void {
  if (!databaseUrl || !hasCluster(dataDir)) return
  throw new StartError(
    `${dataDir} holds a game in the embedded database, but DATABASE_URL names another database: ` +
      `unset DATABASE_URL, or move the game with ./taps backup and ./taps restore, then rename ${dataDir}/postgres`,
  )
}

export async function pathsIn(dataDir: string): Promise<Paths> {
  return pathsOf(join(await realpath(dataDir), HOME))
}

function pathsOf(home: string): Paths {
  return {
    home,
    cluster: join(home, 'cluster'),
    password: join(home, 'password'),
    log: join(home, 'postgres.log'),
  }
}

/**
 * Creates the missing parts of an installation. A rename puts the new cluster in place, so only one of two
 * simultaneous first starts wins.
 *
 * @throws {StartError} when the cluster cannot be created, or belongs to another major version
 */
export async function install(
  dataDir: string,
  others?: Binaries,
  chosen?: SystemUser,
): Promise<Installation> {
  await createDataDir(dataDir)
  const binaries = others ?? (await findBinaries())
  const paths = await pathsIn(dataDir)
  const user = chosen ?? (await chooseSystemUser(paths.home))
  if (!existsSync(paths.home)) await makeHome(paths, binaries, user)
  await requireVersion(paths, binaries)
  const socket = await socketFolder(paths.home, user)
  const password = await readPart(paths.password)
  return { paths, binaries, user, socket, password }
}

export function connectionTo(database: string, { socket, password }: Installation): Connection {
  return { host: socket, port: SOCKET_PORT, user: ROLE, password, database, ssl: false }
}

async function makeHome({ home }: Paths, binaries: Binaries, user: SystemUser): Promise<void> {
  const dataDir = dirname(home)
  const draft = pathsOf(`${home}.new-${randomUUID()}`)
  try {
    await mkdir(draft.home, { mode: 0o700 })
    await writeFile(draft.password, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`, { mode: 0o600 })
    if (user.uid !== process.geteuid?.()) await chownTo(user, dataDir, [draft.home, draft.password])
    await initialise(draft, binaries, user)
    await syncFolder(draft.home)
    await rename(draft.home, home)
    await syncFolder(dataDir)
  } catch (cause) {
    await rm(draft.home, { recursive: true, force: true })
    // Another start was faster.
    if (existsSync(home)) return
    if (cause instanceof StartError) throw cause
    throw new StartError(`Cannot make a database in ${dataDir} (${errorCode(cause)})`, { cause })
  }
}

/** Gives files to PostgreSQL's user, who may pass through the data folder but not list it. */
async function chownTo({ uid, gid }: SystemUser, dataDir: string, paths: readonly string[]): Promise<void> {
  await chmod(dataDir, 0o711)
  for (const path of paths) await chown(path, uid, gid)
}

/** Runs initdb, which also flushes the cluster to disk. */
async function initialise(draft: Paths, { initdb }: Binaries, user: SystemUser): Promise<void> {
  const options = [
    `--pgdata=${draft.cluster}`,
    `--username=${ROLE}`,
    `--pwfile=${draft.password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]
  const child = spawnAs(user, initdb, options, {
    // In a session of its own, a lost terminal does not end it.
    detached: !NEEDS_TERMINAL,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const failure = await once(child, 'close').then(
    ([code, signal]) =>
      code === 0 ? null : output || `initdb was ended by ${signal ?? `exit code ${code}`}`,
    errorCode,
  )
  if (failure === null) return
  const reason = errorLine(failure, user, 'first')
  throw new StartError(`Cannot make a database in ${draft.home}: ${reason}`)
}

async function requireVersion({ home, cluster }: Paths, { major }: Binaries): Promise<void> {
  const version = await readPart(join(cluster, 'PG_VERSION'))
  if (version === major) return
  throw new StartError(
    `The data in ${home} was created by PostgreSQL ${version}, but TAPS ${VERSION} contains ${major}: ` +
      'make a backup with the program that made the data, then restore it with this one into a new DATA_DIR',
  )
}

async function readPart(file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch(cause => {
    throw readError(file, cause)
  })
  return content.trim()
}

/**
 * Creates the socket's folder, for its owner only. Uses a folder in /tmp when the usual path is too long.
 *
 * @throws {StartError} when the folder belongs to another user
 */
export async function socketFolder(home: string, { uid, gid }: SystemUser): Promise<string> {
  const near = join(home, 'socket')
  // sun_path has 108 bytes on Linux and 104 elsewhere, including the final zero.
  const most = process.platform === 'linux' ? 107 : 103
  const fits = Buffer.byteLength(join(near, `.s.PGSQL.${SOCKET_PORT}`)) <= most
  const folder = fits ? near : `/tmp/taps-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await chown(folder, uid, gid)
  const found = await lstat(folder)
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return folder
  throw new StartError(`${folder} is not private to user ${uid}, who runs PostgreSQL: delete it`)
}
