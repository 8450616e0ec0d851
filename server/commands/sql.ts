import type { Call, Command } from './command.ts'
import type { Outcome } from './output.ts'
import { csvOutcome, readTable, type Table, TIMEOUT, toLines } from './table.ts'
import { withGame } from './with-database.ts'

export const SQL: readonly Command[] = [
  {
    form: 'sql --csv <query>',
    help: 'Runs the query, and prints the rows for a spreadsheet.',
    run: (call, query) => answer(call, csvOutcome, query),
  },
  {
    form: 'sql <query>',
    help: `Runs a read-only query for at most ${TIMEOUT}, and prints the rows with tabs between columns.`,
    run: (call, query) => answer(call, toOutcome, query),
  },
]

function answer(call: Call, format: (table: Table) => Outcome, query = ''): Promise<Outcome> {
  return withGame(call, async client => format(await readTable(client, query)))
}

function toOutcome(table: Table): Outcome {
  return { ok: true, lines: toLines(table) }
}
