import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { SetupError } from './project.mjs'

/** Whether a lost terminal ends the work: not when the output goes elsewhere, as with `nohup`. */
const NEEDS_TERMINAL = isatty(1)

/** @type {NodeJS.Signals[]} */
const SIGNALS = NEEDS_TERMINAL ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM']

// Node would end even a process that `nohup` protects.
if (!NEEDS_TERMINAL) process.on('SIGHUP', () => undefined)

/**
 * @typedef {object} Options
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [held] - Whether to print the output only when the program fails.
 * @property {string | undefined} [program] - The program to run; Node by default.
 */

/**
 * Runs a script to its end. Passes stop signals on to the script, and ends this process after such a signal.
 *
 * @param {string} what - What the script does, for the message when it fails.
 * @param {readonly string[]} parameters - The script, then its arguments.
 * @param {Options} [options]
 * @returns {Promise<string>} the output, if held
 * @throws {SetupError} when the script fails
 */
export async function run(what, parameters, options = {}) {
  const { env = process.env, held = false, program = process.execPath } = options
  const child = spawn(program, parameters, {
    stdio: held ? ['inherit', 'pipe', 'pipe'] : 'inherit',
    env,
    // In a session of its own, a lost terminal does not end the script.
    detached: !NEEDS_TERMINAL,
  })
  /** @type {Buffer[]} */
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => chunks.push(chunk))
  /** @type {NodeJS.Signals | undefined} */
  let received
  /** @param {NodeJS.Signals} signal */
  const pass = signal => {
    received = signal
    child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, pass)
  const code = await new Promise(resolve => {
    child.on('error', () => resolve('missing'))
    child.on('close', resolve)
  })
  for (const signal of SIGNALS) process.off(signal, pass)
  const output = Buffer.concat(chunks).toString()
  if (code !== 0 && output !== '') process.stdout.write(`\n== ${what}\n${output}`)
  if (received) process.exit(128 + constants.signals[received])
  if (code === 'missing') throw new SetupError(`${what} failed: ${program} cannot be run; install it.`)
  if (code !== 0) throw new SetupError(`${what} failed; see the output above.`)
  return output
}
