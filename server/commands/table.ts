import type { ClientBase } from 'pg'
import type { Outcome } from './output.ts'

/** The timeout of a query. */
export const TIMEOUT = '30s'

/** The names of the columns, then the rows, all as text. */
export type Table = readonly (readonly string[])[]

const AS_TEXT = { getTypeParser: () => (value: string) => value }

/** Runs a read-only query; shows its times in the time zone of this machine. */
export async function readTable(client: ClientBase, query: string): Promise<Table> {
  await client.query('begin transaction read only')
  await client.query(`set local statement_timeout = '${TIMEOUT}'`)
  await setTimeZone(client)
  // Keeps the query from ending the transaction: a cursor accepts no COPY, and the extended protocol accepts
  // only one statement.
  const declaration = { text: `declare answer cursor for ${query}`, queryMode: 'extended' }
  await client.query(declaration)
  const question = { text: 'fetch all from answer', rowMode: 'array', types: AS_TEXT } as const
  const { fields, rows } = await client.query<(string | null)[]>(question)
  await client.query('commit')
  return [fields.map(({ name }) => name), ...rows.map(row => row.map(asText))]
}

/** Keeps the database's time zone when PostgreSQL does not know this machine's. */
async function setTimeZone(client: ClientBase): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  await client.query(
    `select set_config('TimeZone', name, true) from pg_timezone_names where name = $1 limit 1`,
    [timeZone],
  )
}

/** Escapes control characters, which would break the table. */
function asText(value: string | null): string {
  if (value === null) return ''
  return /\p{Cc}/u.test(value) ? JSON.stringify(value) : value
}

/** Formats a table as lines with tabs between columns, and the number of rows below. */
export function toLines(table: Table): string[] {
  return [...table.map(row => row.join('\t')), `(${table.length - 1} rows)`]
}

/** Answers a command with a table for a spreadsheet. */
export function csvOutcome(table: Table): Outcome {
  return { ok: true, lines: table.map(row => row.map(cell).join()), isCsv: true }
}

/** Quotes a cell, and marks a name that a spreadsheet would run as a formula as text. */
function cell(text: string): string {
  const isFormula = /^[-=+@]/.test(text) && Number.isNaN(Number(text))
  return `"${isFormula ? "'" : ''}${text.replaceAll('"', '""')}"`
}
