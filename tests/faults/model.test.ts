import fc from 'fast-check'
import { afterAll, beforeAll, it } from 'vitest'
import { report, SEED, sized } from '../support/size.ts'
import { anyAct, SEATS } from './model/acts.ts'
import { newGame } from './model/game.ts'
import { Table } from './model/table.ts'

const SEQUENCES = sized(12, 1_000)
const MAX_ACTS = 40

let table: Table
beforeAll(async () => {
  table = await Table.open()
})
afterAll(() => table.close())

it('does what the rules say, whatever players do in whatever order', async () => {
  const sequences = fc.commands([anyAct], { maxCommands: MAX_ACTS, size: 'max' })
  const property = fc.asyncProperty(sequences, async sequence => {
    await table.clear(SEATS.length)
    const game = newGame(SEATS)
    await fc.asyncModelRun(() => ({ model: game, real: table }), sequence)
    await table.agreeOnAttempts(game)
  })
  await fc.assert(property, { seed: SEED, numRuns: SEQUENCES })
  report('model', { sequences: SEQUENCES, ...table.figures })
})
