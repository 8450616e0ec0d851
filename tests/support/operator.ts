import { expect } from 'vitest'
import { type Command, type Outcome, runCommandLine } from '../../server/commands/command.ts'
import { USERS } from '../../server/commands/users.ts'
import { toUrl } from './command.ts'
import { TEST_SECRET } from './game.ts'
import type { World } from './world.ts'

/** The result of a command, and the lines that name the command's game. */
export interface Performed extends Outcome {
  readonly told: readonly string[]
}

/** Runs a command in this process. */
export async function performed(
  commands: readonly Command[],
  argv: readonly string[],
  settings: NodeJS.ProcessEnv,
): Promise<Performed> {
  const told: string[] = []
  return { ...(await runCommandLine(commands, argv, settings, line => told.push(line))), told }
}

export function openOperator(world: World) {
  return {
    async users(...argv: string[]): Promise<readonly string[]> {
      const settings = { DATABASE_URL: toUrl(world.database.connection), SECRET: TEST_SECRET }
      const { ok, lines } = await performed(USERS, ['users', ...argv], settings)
      expect(ok, lines.join('\n')).toBe(true)
      return lines
    },
  }
}
