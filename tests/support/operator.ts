import { expect } from 'vitest'
import { type Outcome, perform } from '../../server/commands/command.ts'
import { players } from '../../server/commands/players.ts'
import { toUrl } from './command.ts'
import { TEST_SECRET } from './game.ts'
import type { World } from './world.ts'

/** What an operator does to the game of a test file. */
export function openOperator(world: World) {
  /** What came of `npm run players` with these words. */
  function run(...words: string[]): Promise<Outcome> {
    const variables = { DATABASE_URL: toUrl(world.database.connection), SECRET: TEST_SECRET }
    return perform(players, words, variables)
  }

  return {
    run,
    /** What it prints, all being as it must be. */
    async players(...words: string[]): Promise<readonly string[]> {
      const { sound, lines } = await run(...words)
      expect(sound, lines.join('\n')).toBe(true)
      return lines
    },
    /** What it gives to programs, as they read it. */
    async json<Data>(...words: string[]): Promise<Data> {
      const { lines } = await run(...words, '--json')
      return JSON.parse(lines.join(''))
    },
  }
}
