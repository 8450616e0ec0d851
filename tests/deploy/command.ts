import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The timeout of a program, far longer than a build takes on a busy machine. */
const TIMEOUT_MS = 600_000

/**
 * Runs a program until it exits.
 *
 * @returns the program's stdout
 * @throws Error with the program's stderr, when the program fails or takes longer than ten minutes
 */
export async function command(program: string, ...parameters: readonly string[]): Promise<string> {
  const { stdout } = await run(program, parameters, { timeout: TIMEOUT_MS, maxBuffer: 16 * 1_024 * 1_024 })
  return stdout
}
