import { resolve } from 'node:path'
import pg from 'pg'
import { ReadOnly } from '../database/fitness.ts'
import { isAway } from '../database/pool.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../lib/start-error.ts'
import { spelledOut } from '../log.ts'

/** The result of a command. */
export interface Outcome {
  /** False when a check has failed. */
  readonly ok: boolean
  readonly lines: readonly string[]
}

/** What a command gets beside its arguments. */
export interface Call {
  readonly env: Env
  /** Prints at once which game the command is about to touch. */
  tell(line: string): void
}

/** A command for operators: `./taps <form>`. */
export interface Command {
  /** Literal words, then `<required>` and `[optional]` arguments. */
  readonly form: string
  /** What it does: a sentence. */
  readonly help: string
  /**
   * @param given the arguments for the form's `<…>` and `[…]`
   * @throws UsageError for arguments that make no sense
   * @throws StartError when it cannot be done
   */
  run(call: Call, ...given: string[]): Promise<Outcome>
}

/** The arguments fit no command: nothing was done, and the exit code is 2. */
export class UsageError extends StartError {}

/**
 * Runs a command and prints its result, or the usage. The exit code is 0 on success; 1, with the reason in one line, when
 * it failed or a check did; 2, with the usage, for arguments that fit no command. Standard error names the game first.
 *
 * @param words the command line
 */
export async function runCommand(commands: readonly Command[], words: readonly string[]): Promise<void> {
  const tell = (line: string) => process.stderr.write(`${line}\n`)
  try {
    const { ok, lines } = await runCommandLine(commands, words, process.env, tell)
    process.stdout.write(lines.map(line => `${line}\n`).join(''))
    process.exitCode = ok ? 0 : 1
  } catch (error) {
    const isUsage = error instanceof UsageError
    for (const line of isUsage ? [error.message, ...usage(commands, words)] : [complaint(error)]) tell(line)
    process.exitCode = isUsage ? 2 : 1
  }
}

/**
 * Finds and runs the command of a command line; for `--help` returns the usage, which needs no settings.
 *
 * @param words the command line
 * @param variables usually `process.env`
 * @throws UsageError when it fits no command
 */
export async function runCommandLine(
  commands: readonly Command[],
  words: readonly string[],
  variables: NodeJS.ProcessEnv,
  tell: Call['tell'],
): Promise<Outcome> {
  // Further on, a word may be a name.
  if (words.length === 0 || words.slice(0, 2).some(word => word === '--help' || word === '-h')) {
    return { ok: true, lines: usage(commands, words) }
  }
  const command = commands.find(({ form }) => fits(form, words))
  if (!command) throw new UsageError('./taps takes no such arguments')
  const given = words.filter((_, place) => isGiven(command.form.split(' ')[place]))
  return command.run({ env: readEnv(variables), tell }, ...given)
}

/**
 * Resolves a folder from where the operator typed it: commands themselves run in the project's folder.
 *
 * @throws UsageError for what looks like an option
 */
export function namedFolder(name: string): string {
  if (name.startsWith('-')) throw new UsageError(`${name} is no option; a folder of this name is ./${name}`)
  const { INIT_CWD = process.cwd() } = process.env
  return resolve(INIT_CWD, name)
}

/** What went wrong; in one line when the operator can mend it. */
export function complaint(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ReadOnly) return `The database takes no writes: ${error.message}`
  if (error instanceof pg.DatabaseError) return `The database refused: ${spelledOut(error.message)}`
  if (isAway(error)) return `The database went away meanwhile (${error.message}); try again`
  return error.stack ?? error.message
}

function fits(form: string, words: readonly string[]): boolean {
  const places = form.split(' ')
  const needed = places.filter(place => !place.startsWith('['))
  if (words.length < needed.length || words.length > places.length) return false
  return words.every((word, index) => isGiven(places[index]) || places[index] === word)
}

function isGiven(place = ''): boolean {
  return /^[<[]/.test(place)
}

/** The usage of the commands that begin with the first word, or of all when none does. */
function usage(commands: readonly Command[], [first = '']: readonly string[]): string[] {
  const named = commands.filter(({ form }) => form.split(' ')[0] === first)
  const shown =
    named.length > 0 ? named : [{ form: 'start', help: 'Runs the game as it was built.' }, ...commands]
  return shown.flatMap(({ form, help }) => [`./taps ${form}`, `    ${help}`])
}
