import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { isAway } from '../database/pool.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../lib/start-error.ts'
import { type Form, fits, givenIn, isOption, optionsOf } from './form.ts'

/** What came of a command. */
export interface Outcome {
  /** False when what it looked at is not as it should be. */
  readonly sound: boolean
  /** For people. */
  readonly lines: readonly string[]
  /** The same for programs, of an act whose form has `[--json]`: printed as one JSON value in the place of the lines. */
  readonly data?: unknown
}

/** What an act works with, beside the words it was given. */
export interface Call {
  readonly env: Env
  /** The options that were given, without their dashes; one that takes no value has the value ''. */
  readonly options: ReadonlyMap<string, string>
}

/** One thing that a command does. */
export interface Act {
  readonly form: Form
  /** What it does, for `--help`: a sentence. */
  readonly help: string
  /**
   * @param given what stands in the places of the form's `<…>` and `[…]`
   * @throws UsageError for what cannot be meant
   * @throws StartError for what cannot be done with what was given
   */
  run(call: Call, ...given: string[]): Promise<Outcome>
}

/** An operator's command, `npm run <name>`. */
export interface Command {
  readonly name: string
  readonly acts: readonly Act[]
}

/** A command was called in a way that it does not know: nothing was done, the exit code is 2. */
export class UsageError extends StartError {}

const HELP = { help: { type: 'boolean', short: 'h' } } as const

/**
 * Runs a command to its end, or prints how it is called. The exit code is 0 when all is as it should be; 1, with what
 * went wrong in one line, when it cannot do what it was asked for or what it looked at is not as it should be; 2, with
 * the usage, when it was called in a way that it does not know.
 *
 * @param args as they were typed
 */
export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  try {
    const { sound, lines } = await perform(command, args, process.env)
    process.stdout.write(lines.map(line => `${line}\n`).join(''))
    process.exitCode = sound ? 0 : 1
  } catch (error) {
    const isUsage = error instanceof UsageError
    const lines = isUsage ? [error.message, ...usage(command)] : [complaint(error)]
    process.stderr.write(lines.map(line => `${line}\n`).join(''))
    process.exitCode = isUsage ? 2 : 1
  }
}

/**
 * Does what a command is asked for, or says how it is called, for which it needs no settings and touches nothing.
 *
 * @param args as they were typed
 * @param variables usually `process.env`
 * @returns what is to be printed in `lines`, with `--json` too
 * @throws UsageError when they ask for nothing that it does
 */
export async function perform(
  command: Command,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): Promise<Outcome> {
  // `npm run` takes one for itself; a second one, and any of pnpm's, comes through.
  const typed = args[0] === '--' ? args.slice(1) : [...args]
  const { values } = parseArgs({ args: typed, options: HELP, strict: false })
  if (values.help) return { sound: true, lines: help(command) }

  const { words, options } = read(command, typed)
  const act = command.acts.find(({ form }) => fits(form, words, options))
  if (!act) throw new UsageError(`npm run ${command.name} is not called like this`)
  const outcome = await act.run({ env: readEnv(variables), options }, ...givenIn(act.form, words))
  if (!options.has('json')) return outcome
  return { ...outcome, lines: [JSON.stringify(outcome.data)] }
}

/**
 * A folder as the operator named it: npm runs commands in the project's folder, wherever it was called.
 *
 * @throws UsageError for what was meant for an option
 */
export function namedFolder(name: string): string {
  if (name.startsWith('-')) throw new UsageError(`${name} is no option; a folder of this name is ./${name}`)
  const { INIT_CWD = process.cwd() } = process.env
  return resolve(INIT_CWD, name)
}

function read({ acts }: Command, args: string[]) {
  const options = Object.fromEntries(acts.flatMap(({ form }) => optionsOf(form)))
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const given = Object.entries(values).map(
      ([name, value]) => [name, value === true ? '' : `${value}`] as const,
    )
    return { words: positionals, options: new Map(given) }
  } catch (error) {
    // What follows the first sentence is advice to programmers.
    const [reason = ''] = String(error instanceof Error ? error.message : error).split(/\.\s/)
    throw new UsageError(reason, { cause: error })
  }
}

function help(command: Command): string[] {
  return usage(command).flatMap((line, place) => [line, `           ${command.acts[place]?.help}`])
}

function usage({ name, acts }: Command): string[] {
  return acts.map((act, place) => `${place === 0 ? 'Usage:' : '      '} ${line(name, act)}`)
}

/** As it is typed: without the two dashes npm would keep options for itself. */
function line(name: string, { form }: Act): string {
  const dashes = form.some(isOption) ? ['--'] : []
  return ['npm run', name, ...dashes, ...form].join(' ')
}

/** What went wrong, in one line where an operator can mend it. */
export function complaint(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  if (error instanceof pg.DatabaseError) return `The database refused: ${error.message}`
  if (isAway(error)) return `The database went away meanwhile (${error.message}); try again`
  return error.stack ?? error.message
}
