import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { StartError } from '../lib/start-error.ts'
import { linesOf } from './lines.ts'
import { MIGRATIONS_TABLE, readSchema } from './migrate.ts'

/** Every table of the game, each after those it refers to. The acts are applied anew by whoever opens the game. */
export const TABLES = [
  'migrations',
  'users',
  'sessions',
  'attempts',
  'prize_pool',
  'prizes',
  'holds',
  'flags',
  'hidden_names',
]

/** Rows are written and read in the same way, whatever the two databases are set to. */
const SETTINGS = `set local client_encoding = 'UTF8';
set local standard_conforming_strings = on;
set local bytea_output = 'hex';
set local datestyle = 'ISO, YMD';
set local timezone = 'UTC';
`

/** The line that begins the rows of a table, and the one that ends them, as in the files of pg_dump. */
const ROWS_BEGIN = /^copy .* from stdin;\n$/
const ROWS_END = Buffer.from('\\.\n')

/** The last line of a whole dump. */
const END = '-- This is the end of the dump.\n'

interface Column {
  name: string
  /** Its values come from a sequence. */
  identity: boolean
}

/**
 * The whole game as one SQL script: schema, rows, sequences. psql can run it, and so can `load`.
 *
 * @param client in a transaction of one snapshot (repeatable read), used by nobody else until the end
 */
export async function* dump(client: ClientBase): AsyncGenerator<string | Buffer> {
  yield '-- A game of TAPS. To run this into an empty database:\n'
  yield '--   gunzip -c taps.sql.gz | psql -X -1 -v ON_ERROR_STOP=1 DATABASE\n'
  await client.query(SETTINGS)
  yield SETTINGS
  yield `${MIGRATIONS_TABLE};\n`
  for (const { sql } of await readSchema(client)) yield `${sql}\n`
  const tables = await existing(client)
  // Migrations put rows of their own into new tables.
  yield `truncate ${tables.join(', ')};\n`
  for (const table of tables) yield* dumpTable(client, table)
  yield END
}

/** A game that an earlier release has made may lack the newest tables. */
async function existing(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality as t (name, place) where to_regclass(name) is not null order by place',
    [TABLES],
  )
  return rows.map(({ name }) => name)
}

async function* dumpTable(client: ClientBase, table: string): AsyncGenerator<string | Buffer> {
  const columns = await readColumns(client, table)
  const names = columns.map(({ name }) => client.escapeIdentifier(name)).join(', ')
  yield `copy ${table} (${names}) from stdin;\n`
  yield* client.query(copyTo(`copy ${table} (${names}) to stdout`))
  yield ROWS_END
  for (const { name, identity } of columns) if (identity) yield await dumpSequence(client, table, name)
}

/** The columns that have values of their own: generated ones are left to be generated. */
async function readColumns(client: ClientBase, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select attname as name, attidentity <> '' as identity
    from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`,
    [table],
  )
  return rows
}

/** Sequences obey no snapshot. Read after the rows, this one is at least at the highest of them. */
async function dumpSequence(client: ClientBase, table: string, column: string): Promise<string> {
  const named = await client.query<{ sequence: string }>(
    'select pg_get_serial_sequence($1, $2) as sequence',
    [table, column],
  )
  const { rows } = await client.query<{ last_value: string; is_called: boolean }>(
    `select last_value::text, is_called from ${named.rows[0]?.sequence}`,
  )
  const { last_value, is_called } = rows[0] ?? { last_value: '1', is_called: false }
  return `select setval(pg_get_serial_sequence('${table}', '${column}'), ${last_value}, ${is_called});\n`
}

/**
 * Runs a dump into an empty database.
 *
 * @param client in a transaction, which the caller ends: back when this throws
 * @throws StartError when the dump ends too early; the database's error when it refuses something
 */
export async function load(client: ClientBase, script: AsyncIterable<Buffer>): Promise<void> {
  const lines = linesOf(script)
  let sql = ''
  let last = ''
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    last = next.value.toString()
    if (!ROWS_BEGIN.test(last)) {
      sql += last
      continue
    }
    await client.query(sql)
    sql = ''
    await pipeline(Readable.from(rowsOf(lines)), client.query(copyFrom(last)))
  }
  if (last !== END) throw tooShort()
  await client.query(sql)
}

async function* rowsOf(lines: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (next.value.equals(ROWS_END)) return
    yield next.value
  }
  throw tooShort()
}

function tooShort(): StartError {
  return new StartError('The backup ends in the middle: use another one')
}
