import type { ClientBase } from 'pg'

/** The tables of a backup, in an order that puts each table after the tables that it references. */
export const TABLES = [
  'migrations',
  'users',
  'past_players',
  'sessions',
  'attempts',
  'hands',
  'prize_pool',
  'holds',
  'prizes',
  'operator_acts',
  'game_secret',
]

/** Returns the tables that a game has; a game of an earlier release has fewer. */
export async function existingTables(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality as known (name, place) where to_regclass(name) is not null order by place',
    [TABLES],
  )
  return rows.map(({ name }) => name)
}

export interface Sequence {
  table: string
  column: string
  last_value: string
  is_called: boolean
}

/** The tables whose IDs come from a sequence, which must not give the ID of a deleted row again. */
const NUMBERED = ['users', 'attempts', 'operator_acts']

export async function readSequences(client: ClientBase): Promise<Sequence[]> {
  const queries = NUMBERED.map(
    table => `select '${table}' as table, 'id' as column, last_value::text, is_called from ${table}_id_seq`,
  )
  return (await client.query<Sequence>(queries.join(' union all '))).rows
}

export async function setSequences(client: ClientBase, sequences: readonly Sequence[]): Promise<void> {
  await client.query(
    `select setval(pg_get_serial_sequence("table", "column"), last_value, is_called)
    from json_to_recordset($1) as sequences ("table" text, "column" text, last_value bigint, is_called boolean)`,
    [JSON.stringify(sequences)],
  )
}
