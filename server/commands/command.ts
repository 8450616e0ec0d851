import { resolve } from 'node:path'
import pg from 'pg'
import { hasGame } from '../database/migrate.ts'
import { isAway } from '../database/pool.ts'
import { type Env, readEnv } from '../env.ts'
import { StartError } from '../lib/start-error.ts'

/** What a command works with. */
export interface Operation {
  readonly env: Env
  /** Prints a line of the command's result. */
  say(line: string): void
}

/**
 * Runs one operator's command to its end. The exit code is 0 when `act` gives true; 1, with what went wrong in
 * one line, when it does not.
 */
export async function runCommand(act: (operation: Operation) => Promise<boolean>): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    process.exitCode = (await act({ env: readEnv(process.env), say })) ? 0 : 1
  } catch (error) {
    process.stderr.write(`${complaint(error)}\n`)
    process.exitCode = 1
  }
}

/** @throws StartError when nobody has ever played, or could have, on this database */
export async function requireGame(client: pg.ClientBase): Promise<void> {
  if (!(await hasGame(client))) throw new StartError('There is no game in this database: nothing to do')
}

/** A folder as the operator named it: npm runs commands in the project's folder, wherever it was called. */
export function namedFolder(name: string): string {
  const { INIT_CWD = process.cwd() } = process.env
  return resolve(INIT_CWD, name)
}

function complaint(error: unknown): string {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  if (error instanceof pg.DatabaseError) return `The database refused: ${error.message}`
  if (isAway(error)) return `The database went away meanwhile (${error.message}); try again`
  return error.stack ?? error.message
}
