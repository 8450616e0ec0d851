import type { ClientBase } from 'pg'
import { escapeControlChars } from '../log.ts'
import { ATTEMPT_COLUMNS, ATTEMPT_JOINS, type AttemptRow } from '../play/attempts.ts'
import { checkLedger } from '../play/ledger.ts'
import { type Command, type Outcome, UsageError } from './command.ts'
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

const MAX_WINS = 1_000
const CLOSEST = 5

export const WINNERS: Command = {
  form: 'winners [--csv]',
  help: 'Lists who won what, guests too, and who was closest; --csv prints the wins for a spreadsheet.',
  async run(call, option) {
    if (option !== undefined && option !== '--csv') throw new UsageError(`Unknown option ${option}`)
    return withGame(call, client => (option ? printCsv(client) : printText(client)))
  },
}

async function printText(client: ClientBase): Promise<Outcome> {
  const wins = await readWins(client)
  const closest = await read(client, `order by abs(attempts.difference), attempts.id limit ${CLOSEST}`)
  const lines = [
    wins.length === 0 ? 'Nobody has won yet.' : `Wins, newest first (at most ${MAX_WINS}):`,
    ...wins.map(row => `  ${row.created_at.toISOString()}  ${row.won_taps} TAPS  ${describe(row)}`),
    'Closest attempts:',
    ...closest.map(row => `  ${describe(row)}`),
  ]
  return { ok: true, lines }
}

async function printCsv(client: ClientBase): Promise<Outcome> {
  const wins = await readWins(client)
  const lines = wins.map(row => {
    const { username, is_guest, won_taps, target_time, actual_time, difference, created_at } = row
    const whose = is_guest ? 'guest' : 'account'
    return [
      created_at.toISOString(),
      cell(username),
      whose,
      won_taps,
      target_time,
      actual_time,
      difference,
    ].join()
  })
  return { ok: true, lines: ['won at,name,player,TAPS,target in s,time in s,difference in s', ...lines] }
}

function readWins(client: ClientBase): Promise<AttemptRow[]> {
  return read(client, `where prize.taps is not null order by attempts.id desc limit ${MAX_WINS}`)
}

async function read(client: ClientBase, rest: string): Promise<AttemptRow[]> {
  const { rows } = await client.query<AttemptRow>(
    `select ${ATTEMPT_COLUMNS} from attempts ${ATTEMPT_JOINS} ${rest}`,
  )
  return rows
}

function describe({ username, is_guest, target_time, actual_time, difference }: AttemptRow): string {
  const name = `${JSON.stringify(username)}${is_guest ? ' (guest)' : ''}`
  const sign = difference < 0 ? '' : '+'
  return `${name}  ${sign}${difference.toFixed(3)} s: ${actual_time.toFixed(3)} s for ${target_time.toFixed(2)} s`
}

/** Quotes a name, and marks one that a spreadsheet would run as a formula as text. */
function cell(name: string): string {
  const text = /^[-=+@]/.test(name) ? `'${name}` : name
  return `"${text.replaceAll('"', '""')}"`
}
