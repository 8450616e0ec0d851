import type { ClientBase } from 'pg'
import { escapeControlChars } from '../log.ts'
import type { Command } from './command.ts'
import { withGame } from './with-database.ts'

const TIMEOUT = '30s'

const AS_TEXT = { getTypeParser: () => (value: string) => value }

export const SQL: Command = {
  form: 'sql <query>',
  help: `Runs a read-only query for at most ${TIMEOUT}, and prints the rows with tabs between columns.`,
  run: (call, query = '') => withGame(call, client => ask(client, query)),
}

async function ask(client: ClientBase, query: string) {
  await client.query('begin transaction read only')
  await client.query(`set local statement_timeout = '${TIMEOUT}'`)
  // Keeps the query from ending the transaction: a cursor accepts no COPY, and the extended protocol accepts
  // only one statement.
  const declaration = { text: `declare answer cursor for ${query}`, queryMode: 'extended' }
  await client.query(declaration)
  const question = { text: 'fetch all from answer', rowMode: 'array', types: AS_TEXT } as const
  const { fields, rows } = await client.query<(string | null)[]>(question)
  const table = [fields.map(({ name }) => name), ...rows.map(row => row.map(asText))]
  return { ok: true, lines: [...table.map(row => row.join('\t')), `(${rows.length} rows)`] }
}

/** Escapes control characters, which a terminal could execute as commands. */
function asText(value: string | null): string {
  if (value === null) return ''
  return /\p{C}/u.test(value) ? escapeControlChars(JSON.stringify(value)) : value
}
