import { expect } from 'vitest'
import { type Command, runCommandLine } from '../../server/commands/command.ts'
import type { Outcome } from '../../server/commands/output.ts'
import { USERS } from '../../server/commands/users.ts'
import { toUrl } from './command.ts'
import { TEST_SECRET } from './game.ts'
import type { World } from './world.ts'

/** Runs a command in this process. */
export async function runInProcess(
  commands: readonly Command[],
  argv: readonly string[],
  settings: NodeJS.ProcessEnv,
): Promise<Outcome> {
  return runCommandLine(commands, argv, settings, () => undefined)
}

export function openOperator(world: World) {
  return {
    async users(...argv: string[]): Promise<readonly string[]> {
      const settings = { DATABASE_URL: toUrl(world.database.connection), SECRET: TEST_SECRET }
      const { ok, lines } = await runInProcess(USERS, ['users', ...argv], settings)
      expect(ok, lines.join('\n')).toBe(true)
      return lines
    },
  }
}
