import { closeSync, fstatSync, openSync, renameSync, statSync } from 'node:fs'
import { readFile, readlink, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../lib/errors.ts'
import { type Installation, type Paths, SOCKET_PORT } from './installation.ts'
import { errorLine, spawnAs } from './programs.ts'

/** The size above which the next start rotates the log. */
const LOG_MAX_BYTES = 1024 * 1024
/** The free space below which PostgreSQL can neither start nor log the reason. */
const FULL_DISK_BYTES = 256 * 1024
const POLL_MS = 20

/** Settings that open no port, and log nothing that players typed. */
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

/** The signals for a fast stop, an immediate stop and a kill, each with its timeout in ms. */
const STOPS = [
  ['SIGINT', 6_000],
  ['SIGQUIT', 1_500],
  ['SIGKILL', 0],
] as const

export interface Postmaster {
  readonly pid: number
  isAlive(): Promise<boolean>
}

/** A postmaster started by this process. */
export interface Launched extends Postmaster {
  errorLine(): Promise<string>
}

/**
 * Starts PostgreSQL in a session of its own, out of reach of the terminal's signals. Avoids pg_ctl, whose
 * shell would interpret $ and " in folder names.
 *
 * @param settings - PostgreSQL settings that override `SETTINGS`.
 * @param stranger - A process whose ID does not make a lock file valid.
 */
export function launch(
  { paths, binaries, user, socket }: Installation,
  settings: Readonly<Record<string, string>>,
  stranger: number | null,
): Launched {
  const all = { unix_socket_directories: `"${socket.replaceAll('"', '""')}"`, ...SETTINGS, ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(paths)
  const { size } = fstatSync(log)
  const child = spawnAs(user, binaries.postgres, ['-D', paths.cluster, ...options], {
    detached: true,
    stdio: ['ignore', log, log],
    // PostgreSQL takes over lock files that name this process.
    env: { PG_GRANDPARENT_PID: `${stranger ?? process.pid}` },
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
    async errorLine() {
      if (failure) return errorLine(errorCode(failure), user, 'last')
      const { bavail, bsize } = await statfs(paths.log)
      if (bavail * bsize < FULL_DISK_BYTES) return 'no space left on the disk'
      const written = await readFile(paths.log).catch(() => Buffer.alloc(0))
      return errorLine(written.subarray(size).toString(), user, 'last')
    },
  }
}

function openLog({ log }: Paths): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_MAX_BYTES) renameSync(log, `${log}.1`)
  return openSync(log, 'a', 0o600)
}

/** Finds a running postmaster that an earlier process started. */
export async function adopt(paths: Paths): Promise<Postmaster | null> {
  const pid = await lockHolder(pidFile(paths))
  if (pid === null) return null
  return { pid, isAlive: async () => isRunning(pid) && (await lockHolder(pidFile(paths))) === pid }
}

/**
 * Stops PostgreSQL in at most 8 s.
 *
 * @param pace - "immediate" during recovery, when PostgreSQL 18 ignores a fast shutdown.
 */
export async function stopPostmaster(postmaster: Postmaster, pace: 'fast' | 'immediate'): Promise<void> {
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
    // The process has just exited.
  }
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

export function pidFile({ cluster }: Paths): string {
  return join(cluster, 'postmaster.pid')
}

/** Reads the process ID in the first line of a lock file; null when there is no ID. */
export async function lockHolder(file: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
  return pid > 0 ? pid : null
}

/**
 * Finds the process ID in a lock file left by a crash, if the ID now belongs to another program or a zombie. This
 * cluster's processes work in the cluster's folder; a zombie has no folder.
 */
export async function findStranger(paths: Paths): Promise<number | null> {
  const pid = await lockHolder(pidFile(paths))
  if (process.platform !== 'linux' || pid === null || !isRunning(pid)) return null
  const isStranger = await readlink(`/proc/${pid}/cwd`).then(
    folder => folder !== paths.cluster,
    error => errorCode(error) === 'ENOENT',
  )
  return isStranger ? pid : null
}
