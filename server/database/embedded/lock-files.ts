import { chown, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/files.ts'
import type { Installation } from './installation.ts'
import { type Paths, SOCKET_PORT } from './paths.ts'

/** The line of the pid file, counted from 0, that says what the main process is about. */
const STATUS_LINE = 7

const pidFile = ({ cluster }: Paths) => join(cluster, 'postmaster.pid')

/** The lines of a lock file; an empty one when it is not there. */
async function readLock(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split('\n')
}

/** The process that the first line of a lock file of PostgreSQL names, or null. */
export async function lockHolder(file: string): Promise<number | null> {
  const [line = ''] = await readLock(file)
  const pid = Number.parseInt(line, 10)
  return pid > 0 ? pid : null
}

/** The process that a cluster says is its main one, or null. */
export function readPid(paths: Paths): Promise<number | null> {
  return lockHolder(pidFile(paths))
}

/** True when the cluster is being shut down, whoever ordered it. */
export async function isStopping(paths: Paths): Promise<boolean> {
  const lines = await readLock(pidFile(paths))
  return lines[STATUS_LINE]?.trim() === 'stopping'
}

/** True while there is a process of this number, of whatever program. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/**
 * Frees a cluster whose lock files, left over from a crash, name a dead process or, by now, some other program:
 * PostgreSQL would refuse to start for as long as that is there.
 *
 * The line gets our own number, which PostgreSQL knows to be no other server's. The rest stays: by it PostgreSQL
 * recognises memory that processes of the old server may still hold.
 */
export async function freeLockFiles({ paths, account, socket }: Installation): Promise<void> {
  for (const file of [pidFile(paths), join(socket, `.s.PGSQL.${SOCKET_PORT}.lock`)]) {
    const pid = await lockHolder(file)
    if (pid === null || !(await isStranger(pid, paths.cluster))) continue
    const draft = `${file}.${process.pid}`
    const [, ...rest] = await readLock(file)
    await writeFile(draft, [process.pid, ...rest].join('\n'), { mode: 0o600 })
    await chown(draft, account.uid, account.gid)
    if ((await lockHolder(file)) === pid) await rename(draft, file)
    else await rm(draft)
  }
}

/**
 * True only when the number is surely not one of this cluster's processes, all of which work in its folder; also
 * for a dead one that nobody has waited for, which has no folder any more (an orphan in a container stays so for
 * ever). Without /proc nothing is sure, and PostgreSQL's own refusal stands.
 */
async function isStranger(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux' || pid === process.pid || !isThere(pid)) return false
  return readlink(`/proc/${pid}/cwd`).then(
    folder => folder !== cluster,
    error => errorCode(error) === 'ENOENT',
  )
}
