import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { isAway } from '../database/pool.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../lib/start-error.ts'

/** What came of a command. */
export interface Outcome {
  /** False when what it looked at is not as it should be. */
  readonly sound: boolean
  readonly lines: readonly string[]
}

/** One thing that a command does. */
export interface Act {
  /** The words that ask for it: those to be said as they are, `<what must be given>` and `[what may be]`. */
  readonly form: readonly string[]
  /** @throws StartError for what cannot be done with what was given */
  run(env: Env, ...given: string[]): Promise<Outcome>
}

/** An operator's command, `npm run <name>`. */
export interface Command {
  readonly name: string
  readonly acts: readonly Act[]
}

/**
 * Runs a command to its end, or prints how it is called. The exit code is 1, with what went wrong in one line, when it
 * cannot do what it was asked for, and when what it looked at is not as it should be.
 *
 * @param args as they were typed
 */
export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  try {
    const { values, positionals } = parse(command, args)
    const { sound, lines } = values.help
      ? help(command)
      : await perform(command, positionals, readEnv(process.env))
    process.stdout.write(lines.map(line => `${line}\n`).join(''))
    process.exitCode = sound ? 0 : 1
  } catch (error) {
    process.stderr.write(`${complaint(error)}\n`)
    process.exitCode = 1
  }
}

/**
 * Does what these words ask a command for.
 *
 * @throws StartError when they ask for nothing that it does
 */
export function perform(command: Command, words: readonly string[], env: Env): Promise<Outcome> {
  const act = command.acts.find(({ form }) => fits(form, words))
  if (!act) throw new StartError(usage(command))
  return act.run(env, ...words.filter((_, place) => isGiven(act.form[place])))
}

/** A folder as the operator named it: npm runs commands in the project's folder, wherever it was called. */
export function namedFolder(name: string): string {
  const { INIT_CWD = process.cwd() } = process.env
  return resolve(INIT_CWD, name)
}

function parse(command: Command, args: readonly string[]) {
  const options = { help: { type: 'boolean', short: 'h' } } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}. ${usage(command)}`)
  }
}

function fits(form: readonly string[], words: readonly string[]): boolean {
  const needed = form.filter(part => !part.startsWith('['))
  if (words.length < needed.length || words.length > form.length) return false
  return words.every((word, place) => isGiven(form[place]) || form[place] === word)
}

function isGiven(part = ''): boolean {
  return part.startsWith('<') || part.startsWith('[')
}

function help({ name, acts }: Command): Outcome {
  return { sound: true, lines: acts.map(({ form }) => ['npm run', name, ...form].join(' ')) }
}

function usage(command: Command): string {
  return `Usage: ${help(command).lines.join(', or ')}`
}

function complaint(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  if (error instanceof pg.DatabaseError) return `The database refused: ${error.message}`
  if (isAway(error)) return `The database went away meanwhile (${error.message}); try again`
  return error.stack ?? error.message
}
