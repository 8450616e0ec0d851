import type { Call, Command, Outcome } from './command.ts'
import { readTable, type Table, TIMEOUT, toCsv, toLines } from './table.ts'
import { withGame } from './with-database.ts'

export const SQL: readonly Command[] = [
  {
    form: 'sql --csv <query>',
    help: 'Runs the query, and prints the rows for a spreadsheet.',
    run: (call, query) => answer(call, toCsv, query),
  },
  {
    form: 'sql <query>',
    help: `Runs a read-only query for at most ${TIMEOUT}, and prints the rows with tabs between columns.`,
    run: (call, query) => answer(call, toLines, query),
  },
]

function answer(call: Call, format: (table: Table) => string[], query = ''): Promise<Outcome> {
  return withGame(call, async client => ({ ok: true, lines: format(await readTable(client, query)) }))
}
