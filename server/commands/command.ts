import { resolve } from 'node:path'
import pg from 'pg'
import { isTransientError } from '../database/connection-errors.ts'
import { errorCode, StartError } from '../lib/errors.ts'
import { outliveTerminal, userName } from '../lib/process.ts'
import { VERSION } from '../lib/project.ts'
import { spelledOut } from '../log.ts'
import { type Env, InvalidSetting, readEnv } from '../settings.mjs'
import { type Outcome, printNote, printResult, tolerateLostOutput } from './output.ts'

export interface Call {
  readonly env: Env
  /** Prints a line before the result, such as the database's address. */
  tell(line: string): void
}

export interface Command {
  /** One or two words, then `<required>` and `[optional]` arguments; `...` repeats the last. */
  readonly form: string
  readonly help: string
  /**
   * @throws {UsageError} for wrong arguments
   * @throws {StartError} for a problem that the operator can fix
   */
  run(call: Call, ...args: string[]): Promise<Outcome>
}

/** An error for wrong arguments; the exit code is 2. */
export class UsageError extends StartError {}

/** Runs a command and prints its result. The exit code is 1 for a failure and 2 for wrong arguments. */
export async function runCommand(commands: readonly Command[], argv: readonly string[]): Promise<void> {
  outliveTerminal()
  tolerateLostOutput()
  try {
    const outcome = await runCommandLine(commands, argv, process.env, printNote)
    process.exitCode ||= outcome.ok ? 0 : 1
    printResult(outcome)
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1
    for (const line of formatError(error).split('\n')) printNote(line)
  }
}

/**
 * Runs the command that `argv` names; `--help` and `--version` need no settings.
 *
 * @param variables - Usually `process.env`.
 * @throws {UsageError} when the command line matches no command
 */
export async function runCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
  variables: NodeJS.ProcessEnv,
  tell: Call['tell'],
): Promise<Outcome> {
  // Ignores a later --help, which may be a user's name.
  const [first = '--help', second] = argv
  if (first === '--version') return { ok: true, lines: [VERSION] }
  if ([first, second].includes('--help')) return { ok: true, lines: usage(commands) }
  const command = commands.find(({ form }) => `${argv.join(' ')} `.startsWith(`${nameOf(form)} `))
  if (!command) {
    throw new UsageError(`Unknown command ${JSON.stringify(argv.slice(0, 2).join(' '))}: see ./taps --help`)
  }
  const args = argv.slice(nameOf(command.form).split(' ').length)
  const required = command.form.split('<').length - 1
  const optional = command.form.split('[').length - 1
  const most = command.form.endsWith('...') ? Number.POSITIVE_INFINITY : required + optional
  if (args.length < required || args.length > most) {
    throw new UsageError(`Usage: ./taps ${command.form}`)
  }
  return command.run({ env: readEnv(variables), tell }, ...args)
}

/**
 * Resolves a folder relative to the operator's current directory, because commands run in the project's
 * folder.
 *
 * @throws {UsageError} for a name that looks like an option
 */
export function namedFolder(name: string): string {
  if (name.startsWith('-'))
    throw new UsageError(`Unknown option ${name}; for a folder of this name, write ./${name}`)
  const { INIT_CWD = process.cwd() } = process.env
  return resolve(INIT_CWD, name)
}

/** Formats an error as one line, or with the stack when the error is a bug, and not the system's. */
export function formatError(error: unknown): string {
  if (error instanceof StartError || error instanceof InvalidSetting) return error.message
  if (!(error instanceof Error)) return String(error)
  if (error instanceof pg.DatabaseError)
    return `The database rejected the statement: ${spelledOut(error.message)}`
  // A missing file is no outage, unlike a missing socket.
  if ('path' in error) return systemError(error)
  if (isTransientError(error)) return `The database became unavailable (${error.message}); try again`
  return 'syscall' in error ? systemError(error) : (error.stack ?? error.message)
}

/** Names the user when the system denies access, because `./taps` switches from root to the owner of the data. */
function systemError(error: Error): string {
  const isDenied = /^E(ACCES|PERM)$/.test(errorCode(error))
  return isDenied ? `${error.message}: the command runs as the user ${userName()}` : error.message
}

function nameOf(form: string): string {
  return form.replace(/ [<[].*/, '')
}

function usage(commands: readonly Command[]): string[] {
  const all = [{ form: 'start', help: 'Runs the last build of the game.' }, ...commands]
  return all.flatMap(({ form, help }) => [`./taps ${form}`, `    ${help}`])
}
