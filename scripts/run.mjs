import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { SetupError } from './project.mjs'

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM'])

/**
 * Runs a program of Node's until it ends. A signal to us ends it, then us.
 *
 * @param {string} what it does, for the message when it fails
 * @param {readonly string[]} parameters the script first
 * @param {{ env?: NodeJS.ProcessEnv, held?: boolean, program?: string }} [options] held: what it says is shown when it
 *   has ended; program: another Node than this one
 * @throws {SetupError} when it fails
 */
export async function run(what, parameters, options = {}) {
  const { env = process.env, held = false, program = process.execPath } = options
  const child = spawn(program, parameters, {
    stdio: held ? ['inherit', 'pipe', 'pipe'] : 'inherit',
    env,
  })
  /** @type {Buffer[]} */
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => said.push(chunk))
  /** @type {NodeJS.Signals | undefined} */
  let received
  /** @param {NodeJS.Signals} signal */
  const pass = signal => {
    received = signal
    child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, pass)
  const code = await new Promise(resolve => {
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
  for (const signal of SIGNALS) process.off(signal, pass)
  if (said.length > 0) process.stdout.write(`\n== ${what}\n${Buffer.concat(said)}`)
  if (received) process.exit(128 + constants.signals[received])
  if (code !== 0) throw new SetupError(`${what} failed; what it says above tells why.`)
}
