import type { ClientBase } from 'pg'
import { escapeControlChars } from '../log.ts'
import { ATTEMPT_COLUMNS, ATTEMPT_JOINS } from '../play/attempts.ts'
import { checkLedger } from '../play/ledger.ts'
import { type Command, UsageError } from './command.ts'
import { withGame } from './with-database.ts'

export const LEDGER: Command = {
  form: 'ledger',
  help: 'Checks the ledger invariant, each balance and each hold; the exit code is 1 when a check fails.',
  run: call => withGame(call, checkLedger),
}

const TIMEOUT = '30s'

const AS_TEXT = { getTypeParser: () => (value: string) => value }

export const SQL: Command = {
  form: 'sql <query>',
  help: `Runs a read-only query for at most ${TIMEOUT}, and prints the rows with tabs between columns.`,
  run: (call, query = '') => withGame(call, async client => ({ ok: true, lines: await ask(client, query) })),
}

async function ask(client: ClientBase, query: string): Promise<string[]> {
  const table = await read(client, query)
  return [...table.map(row => row.join('\t')), `(${table.length - 1} rows)`]
}

/** Reads the names of the columns, then the rows. */
async function read(client: ClientBase, query: string): Promise<string[][]> {
  await client.query('begin transaction read only')
  await client.query(`set local statement_timeout = '${TIMEOUT}'`)
  // Keeps the query from ending the transaction: a cursor accepts no COPY, and the extended protocol accepts
  // only one statement.
  const declaration = { text: `declare answer cursor for ${query}`, queryMode: 'extended' }
  await client.query(declaration)
  const question = { text: 'fetch all from answer', rowMode: 'array', types: AS_TEXT } as const
  const { fields, rows } = await client.query<(string | null)[]>(question)
  await client.query('commit')
  return [fields.map(({ name }) => name), ...rows.map(row => row.map(asText))]
}

/** Escapes control characters, which a terminal could execute as commands. */
function asText(value: string | null): string {
  if (value === null) return ''
  return /\p{C}/u.test(value) ? escapeControlChars(JSON.stringify(value)) : value
}

const ATTEMPTS = `(select ${ATTEMPT_COLUMNS} from attempts ${ATTEMPT_JOINS}) as attempts`

const SHOWN = `username as name, case when is_guest then 'guest' else 'account' end as player,
  target_time as "target in s", actual_time as "time in s", difference as "difference in s"`

const WINS = `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "won at",
  won_taps as "TAPS", ${SHOWN} from ${ATTEMPTS} where won_taps is not null order by id desc limit 1000`

const CLOSEST = `select ${SHOWN} from ${ATTEMPTS} order by abs(difference), id limit 5`

export const WINNERS: Command = {
  form: 'winners [--csv]',
  help: 'Lists who won what, guests too, and who was closest; --csv prints the wins for a spreadsheet.',
  async run(call, option) {
    if (option !== undefined && option !== '--csv') throw new UsageError(`Unknown option ${option}`)
    return withGame(call, async client => ({
      ok: true,
      lines: option
        ? (await read(client, WINS)).map(row => row.map(cell).join())
        : [...(await ask(client, WINS)), ...(await ask(client, CLOSEST))],
    }))
  },
}

/** Quotes a cell, and marks a name that a spreadsheet would run as a formula as text. */
function cell(text: string): string {
  const isFormula = /^[-=+@]/.test(text) && Number.isNaN(Number(text))
  return `"${isFormula ? "'" : ''}${text.replaceAll('"', '""')}"`
}
