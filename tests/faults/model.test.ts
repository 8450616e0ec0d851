import fc from 'fast-check'
import { afterAll, beforeAll, it } from 'vitest'
import { SEED, sized } from '../support/size.ts'
import { anyCommand, SEATS } from './model/actions.ts'
import { newGame } from './model/game.ts'
import { Table } from './model/table.ts'

const SEQUENCES = sized(12, 1_000)
const MAX_ACTIONS = 120

let table: Table
beforeAll(async () => {
  table = await Table.open()
})
afterAll(() => table.close())

it('the server matches a model of the rules for any sequence of actions with any cookies', async () => {
  const sequences = fc.commands([anyCommand], { maxCommands: MAX_ACTIONS, size: 'max' })
  const property = fc.asyncProperty(sequences, async sequence => {
    await table.clear(SEATS.length)
    const game = newGame(SEATS)
    await fc.asyncModelRun(() => ({ model: game, real: table }), sequence)
    await table.agreeOnEachCookie(game)
  })
  await fc.assert(property, { seed: SEED, numRuns: SEQUENCES })
})
