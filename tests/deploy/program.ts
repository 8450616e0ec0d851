import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { until } from '../support/until.ts'

const READY_MS = 20_000

export interface Program {
  /** @param signal - SIGTERM by default. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * Starts a program, and waits until it is ready.
 *
 * @param isReady - Asks the program; a rejection counts as not ready.
 * @throws Error with the program's output, when the program exits or takes too long
 */
export async function startProgram(
  name: string,
  argv: readonly string[],
  isReady: () => Promise<boolean>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Program> {
  const child = spawn(name, argv, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let output = ''
  child.stderr.on('data', chunk => {
    output += chunk
  })
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.kill(signal)) await once(child, 'exit')
  }
  const check = () => {
    if (child.exitCode !== null) throw new Error(`${name} exited with code ${child.exitCode}`)
    return isReady().catch(() => false)
  }
  await until(`${name} to be ready`, check, READY_MS).catch(async cause => {
    await stop()
    throw new Error(`${name} is not ready: ${output}`, { cause })
  })
  return { stop }
}
