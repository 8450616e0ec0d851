import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The longest that a browser takes to come up, on a machine that does much else. */
const LAUNCH_TIMEOUT_MS = 60_000
/** What a program is given to end by itself, in ms. */
const END_TIMEOUT_MS = 10_000

/** A program that a test runs, and what it says. */
export interface Launched {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Ends it, and whatever it has started. */
  end(): Promise<void>
}

/** Runs a program in a process group of its own. */
export function launch(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Launched {
  const child = spawn(program, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { stdout, stderr } = child
  // Read to the end, so that it never waits for us.
  for (const stream of [stdout, stderr]) stream.resume()
  return { stdout, stderr, end: () => end(child) }
}

/**
 * What matches in the first line that does.
 *
 * @throws Error when none came within `LAUNCH_TIMEOUT_MS`
 */
export function lineOf(stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
  const signal = AbortSignal.timeout(LAUNCH_TIMEOUT_MS)
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`Nothing said ${pattern}`)))
    createInterface({ input: stream }).on('line', line => {
      const match = pattern.exec(line)
      if (match) resolve(match)
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  const exited = child.exitCode ?? child.signalCode ?? once(child, 'exit')
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(-pid, signal)
    } catch {
      // The whole group is gone.
    }
    await Promise.race([exited, new Promise(resolve => setTimeout(resolve, END_TIMEOUT_MS).unref())])
  }
}
