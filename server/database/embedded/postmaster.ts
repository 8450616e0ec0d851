import type { ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, renameSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../lib/files.ts'
import { spawnAs } from './account.ts'
import { complaintIn } from './complaint.ts'
import type { Installation } from './installation.ts'
import { isThere, readPid } from './lock-files.ts'
import { type Paths, SOCKET_PORT } from './paths.ts'

/** The log is renamed at a start once it is longer; one older log is kept. */
const LOG_MAX_BYTES = 1024 * 1024
/** How long a fast shutdown may take; it waits for the checkpoint, not for clients. */
const FAST_STOP_MS = 6_000
/** How long an immediate one may take, which recovers at the next start. */
const IMMEDIATE_STOP_MS = 1_500
const POLL_MS = 20

/**
 * Safe against a power cut, out of reach of the network, and of a size for a small machine. Errors of
 * statements are the server's to log: here they would repeat what people typed.
 */
const SETTINGS = {
  listen_addresses: '',
  port: `${SOCKET_PORT}`,
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_statement: 'none',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  logging_collector: 'off',
}

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
 */
export function launch({ paths, binaries, account, socket, settings }: Installation): Launched {
  const all = {
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
    ...SETTINGS,
    ...settings,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(paths)
  const { size } = fstatSync(log)
  const child = spawnAs(account, binaries.postgres, ['-D', paths.cluster, ...options], {
    cwd: '/',
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
    isAlive: async () => isRunning(child),
    complaint: async () => (failure ? errorCode(failure) : complaintIn(paths.log, size)),
  }
}

function openLog({ log }: Paths): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_MAX_BYTES) renameSync(log, `${log}.1`)
  return openSync(log, 'a', 0o600)
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

/** One that an earlier process has started. It deletes its pid file at the very end of its life. */
export async function adopt(paths: Paths): Promise<Postmaster | null> {
  const pid = await readPid(paths)
  if (pid === null) return null
  return { pid, isAlive: async () => isThere(pid) && (await readPid(paths)) === pid }
}

/** What ends PostgreSQL, each with the time it has to: fast, at once, by force. */
const STOPS = [
  ['SIGINT', FAST_STOP_MS],
  ['SIGQUIT', IMMEDIATE_STOP_MS],
  ['SIGKILL', 0],
] as const

/**
 * Stops PostgreSQL, in at most 8 s, whatever happens.
 *
 * @param pace "at once" for one that is not up: while it recovers from a crash, PostgreSQL 18 takes note of a fast
 * shutdown and stays; at the next start it recovers either way
 */
export async function stopPostmaster(
  postmaster: Postmaster,
  pace: 'fast' | 'at once' = 'fast',
): Promise<void> {
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
