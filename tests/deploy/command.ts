import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Far above what any of them takes on a machine that is busy. */
const TIMEOUT_MS = 60_000

/**
 * Runs a program to its end.
 *
 * @returns what it said on stdout
 * @throws Error with what it said on stderr, when it fails or takes longer than a minute
 */
export async function command(program: string, ...parameters: readonly string[]): Promise<string> {
  const { stdout } = await run(program, parameters, { timeout: TIMEOUT_MS, maxBuffer: 16 * 1_024 * 1_024 })
  return stdout
}
