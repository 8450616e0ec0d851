import { resolve } from 'node:path'
import pg from 'pg'
import { ReadOnly } from '../database/fitness.ts'
import { isAway } from '../database/pool.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../lib/start-error.ts'

/** What came of a command. */
export interface Outcome {
  /** False when what it looked at is not as it should be. */
  readonly ok: boolean
  readonly lines: readonly string[]
}

/** What a command works with, beside the words it was given. */
export interface Call {
  readonly env: Env
  /** Says at once which game it is about to touch. */
  tell(line: string): void
}

/** A command of the operator's, `./taps <form>`. */
export interface Command {
  /** Words to be said as they are, `<what must be given>` and `[what may be]`, which come last. */
  readonly form: string
  /** What it does: a sentence. */
  readonly help: string
  /**
   * @param given what stands in the places of the form's `<…>` and `[…]`
   * @throws UsageError for what cannot be meant
   * @throws StartError for what cannot be done with what was given
   */
  run(call: Call, ...given: string[]): Promise<Outcome>
}

/** A command was called in a way that it does not know: nothing was done, the exit code is 2. */
export class UsageError extends StartError {}

/**
 * Runs a command to its end, or prints how it is called. The exit code is 0 when all is as it should be; 1, with what
 * went wrong in one line, when it cannot do what it was asked for or what it looked at is not as it should be; 2, with
 * the usage, when it was called in a way that it does not know. Which game it touches is said on standard error.
 *
 * @param words as they were typed
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
 * Does what is asked for, or says how that is called, for which it needs no settings and touches nothing.
 *
 * @param words as they were typed
 * @param variables usually `process.env`
 * @throws UsageError when they ask for nothing that there is
 */
export async function runCommandLine(
  commands: readonly Command[],
  words: readonly string[],
  variables: NodeJS.ProcessEnv,
  tell: Call['tell'],
): Promise<Outcome> {
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) {
    return { ok: true, lines: usage(commands, words) }
  }
  const command = commands.find(({ form }) => fits(form, words))
  if (!command) throw new UsageError('./taps is not called like this')
  const given = words.filter((_, place) => isGiven(command.form.split(' ')[place]))
  return command.run({ env: readEnv(variables), tell }, ...given)
}

/**
 * A folder as the operator named it, from where that was: commands run in the project's folder.
 *
 * @throws UsageError for what was meant for an option
 */
export function namedFolder(name: string): string {
  if (name.startsWith('-')) throw new UsageError(`${name} is no option; a folder of this name is ./${name}`)
  const { INIT_CWD = process.cwd() } = process.env
  return resolve(INIT_CWD, name)
}

/** What went wrong, in one line where an operator can mend it. */
export function complaint(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ReadOnly) return `The database can be read alone: ${error.message}`
  if (error instanceof pg.DatabaseError) return `The database refused: ${error.message}`
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

/** Of the commands that begin with the first word; of all, where none does. */
function usage(commands: readonly Command[], [first = '']: readonly string[]): string[] {
  const named = commands.filter(({ form }) => form.split(' ')[0] === first)
  const shown =
    named.length > 0 ? named : [{ form: 'start', help: 'Runs the game as it was built.' }, ...commands]
  return shown.flatMap(({ form, help }) => [`./taps ${form}`, `    ${help}`])
}
