import type { Command } from './command.ts'
import { checkLedger } from './ledger.ts'
import { readTable, TIMEOUT, toLines } from './table.ts'
import { withGame } from './with-database.ts'

export const LEDGER: Command = {
  form: 'ledger',
  help: 'Checks the ledger invariant, each balance and each hold; the exit code is 1 when a check fails.',
  run: call => withGame(call, checkLedger),
}

export const SQL: Command = {
  form: 'sql <query>',
  help: `Runs a read-only query for at most ${TIMEOUT}, and prints the rows with tabs between columns.`,
  run: (call, query = '') =>
    withGame(call, async client => ({ ok: true, lines: toLines(await readTable(client, query)) })),
}
