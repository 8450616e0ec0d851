import type { ClientBase } from 'pg'
import { escapeControlChars } from '../log.ts'
import type { Command } from './command.ts'
import { withGame } from './with-database.ts'

/** A question that takes longer is one for another hour, or for a copy. */
const TIMEOUT = '30s'

/** Every value as PostgreSQL writes it. */
const AS_TEXT = { getTypeParser: () => (value: string) => value }

/** For what no other command tells. */
export const SQL: Command = {
  form: 'sql <query>',
  help: `Prints what a query finds, its columns parted by tabs; it can only read, and not for longer than ${TIMEOUT}.`,
  run: (call, query = '') => withGame(call, client => ask(client, query)),
}

async function ask(client: ClientBase, query: string) {
  await client.query('begin transaction read only')
  await client.query(`set local statement_timeout = '${TIMEOUT}'`)
  // The extended protocol takes one statement: nothing can come after what ends the transaction.
  const question = { text: query, rowMode: 'array', queryMode: 'extended', types: AS_TEXT } as const
  const { fields, rows } = await client.query<(string | null)[]>(question)
  const table = [fields.map(({ name }) => name), ...rows.map(row => row.map(asText))]
  return { ok: true, lines: [...table.map(row => row.join('\t')), `(${rows.length} rows)`] }
}

/** A name may hold what a terminal takes for a command. */
function asText(value: string | null): string {
  if (value === null) return ''
  return /\p{C}/u.test(value) ? escapeControlChars(JSON.stringify(value)) : value
}
