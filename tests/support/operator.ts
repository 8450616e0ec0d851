import { expect } from 'vitest'
import { type Command, type Outcome, runCommandLine } from '../../server/commands/command.ts'
import { PLAYERS } from '../../server/commands/players.ts'
import { toUrl } from './command.ts'
import { TEST_SECRET } from './game.ts'
import type { World } from './world.ts'

/** What came of a command, and which game it said it would touch. */
export interface Performed extends Outcome {
  readonly told: readonly string[]
}

/** Lets a command work in this process. */
export async function performed(
  commands: readonly Command[],
  words: readonly string[],
  settings: NodeJS.ProcessEnv,
): Promise<Performed> {
  const told: string[] = []
  return { ...(await runCommandLine(commands, words, settings, line => told.push(line))), told }
}

/** What an operator does to the game of a test file. */
export function openOperator(world: World) {
  return {
    /** What `./taps players` prints with these words, all being as it must be. */
    async players(...words: string[]): Promise<readonly string[]> {
      const settings = { DATABASE_URL: toUrl(world.database.connection), SECRET: TEST_SECRET }
      const { ok, lines } = await performed(PLAYERS, ['players', ...words], settings)
      expect(ok, lines.join('\n')).toBe(true)
      return lines
    },
  }
}
