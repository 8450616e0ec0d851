import { closeSync, fstatSync, openSync, renameSync, statSync } from 'node:fs'
import { chown, readFile, readlink, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../lib/files.ts'
import { type Installation, type Paths, SOCKET_PORT } from './installation.ts'
import { lastErrorLine, spawnAs } from './programs.ts'

/** The log is renamed at a start once it is longer; one older log is kept. */
const LOG_MAX_BYTES = 1024 * 1024
/** PostgreSQL cannot start with less; what its log says then is cut short or missing. */
const FULL_DISK_BYTES = 256 * 1024
const POLL_MS = 20

/** Out of reach of the network. Errors of statements are the server's to log: here they would repeat what people typed. */
const SETTINGS = {
  listen_addresses: '',
  port: `${SOCKET_PORT}`,
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
}

/** What ends PostgreSQL, each with the time it has to, ms: fast, which waits for a checkpoint; at once; by force. */
const STOPS = [
  ['SIGINT', 6_000],
  ['SIGQUIT', 1_500],
  ['SIGKILL', 0],
] as const

/** PostgreSQL's main process. */
export interface Postmaster {
  readonly pid: number
  isAlive(): Promise<boolean>
}

/** One that this process has started; it ends by itself when it cannot start. */
export interface Launched extends Postmaster {
  /** Why it has ended. */
  complaint(): Promise<string>
}

/**
 * Starts PostgreSQL in a session of its own: neither the terminal's signals nor our own end reach it.
 *
 * It is started directly rather than by pg_ctl, which does the same through a shell that would read folder
 * names with $ or " in them as code. Nothing is awaited, so that no stop can come in between and miss it.
 *
 * @param settings of PostgreSQL that replace ours
 */
export function launch(
  { paths, binaries, account, socket }: Installation,
  settings: Readonly<Record<string, string>>,
): Launched {
  const all = { unix_socket_directories: `"${socket.replaceAll('"', '""')}"`, ...SETTINGS, ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(paths)
  const { size } = fstatSync(log)
  const child = spawnAs(account, binaries.postgres, ['-D', paths.cluster, ...options], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  let failure: Error | null = null
  child.on('error', error => {
    failure = error
  })
  return {
    pid: child.pid ?? 0,
    isAlive: async () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    async complaint() {
      if (failure) return errorCode(failure)
      const { bavail, bsize } = await statfs(paths.log)
      if (bavail * bsize < FULL_DISK_BYTES) return 'no space left on the disk'
      const written = await readFile(paths.log).catch(() => Buffer.alloc(0))
      return lastErrorLine(written.subarray(size).toString(), account)
    },
  }
}

function openLog({ log }: Paths): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_MAX_BYTES) renameSync(log, `${log}.1`)
  return openSync(log, 'a', 0o600)
}

/** One that an earlier process has started. It deletes its pid file at the very end of its life. */
export async function adopt(paths: Paths): Promise<Postmaster | null> {
  const pid = await lockHolder(pidFile(paths))
  if (pid === null) return null
  return { pid, isAlive: async () => isRunning(pid) && (await lockHolder(pidFile(paths))) === pid }
}

/**
 * Stops PostgreSQL, in at most 8 s, whatever happens.
 *
 * @param pace "at once" for one that is not up: while it recovers from a crash, PostgreSQL 18 takes note of a fast
 * shutdown and stays; at the next start it recovers either way
 */
export async function stopPostmaster(postmaster: Postmaster, pace: 'fast' | 'at once'): Promise<void> {
  const steps = pace === 'fast' ? STOPS : STOPS.slice(1)
  for (const [signal, patienceMs] of steps) {
    const deadline = performance.now() + patienceMs
    if (await postmaster.isAlive()) send(postmaster.pid, signal)
    while (performance.now() < deadline && (await postmaster.isAlive())) await sleep(POLL_MS)
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself a moment ago.
  }
}

/** True while there is a process of this number, of whatever program. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Where a cluster says which process is its main one. */
export function pidFile({ cluster }: Paths): string {
  return join(cluster, 'postmaster.pid')
}

/** The process that the first line of a lock file of PostgreSQL names; null when there is none. */
export async function lockHolder(file: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  return pid > 0 ? pid : null
}

/**
 * Frees a cluster whose lock files, left over from a crash, name a dead process or, by now, some other program:
 * PostgreSQL would refuse to start for as long as that is there.
 *
 * The line gets our own number, which PostgreSQL knows to be no other server's. The rest stays: by it PostgreSQL
 * recognises memory that processes of the old server may still hold.
 */
export async function removeStaleLockFiles({ paths, account, socket }: Installation): Promise<void> {
  for (const file of [pidFile(paths), join(socket, `.s.PGSQL.${SOCKET_PORT}.lock`)]) {
    const pid = await lockHolder(file)
    if (pid === null || !(await isStranger(pid, paths.cluster))) continue
    const draft = `${file}.${process.pid}`
    const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
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
  if (process.platform !== 'linux' || pid === process.pid || !isRunning(pid)) return false
  return readlink(`/proc/${pid}/cwd`).then(
    folder => folder !== cluster,
    error => errorCode(error) === 'ENOENT',
  )
}
