import type { ClientBase } from 'pg'

/**
 * Every table of the game, each after those it refers to, but for the fingerprint of the secret, which follows from
 * the secret.
 */
export const TABLES = [
  'migrations',
  'users',
  'past_players',
  'sessions',
  'attempts',
  'prize_pool',
  'holds',
  'prizes',
  'flags',
  'hidden_names',
  'operator_acts',
]

/** Where the numbers of a column stand; those of deleted rows are never given again. */
export interface Sequence {
  table: string
  column: string
  last_value: string
  is_called: boolean
}

/** The tables of this game, in the order of `TABLES`: one that an earlier release has made may lack the newest. */
export async function readTables(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) with ordinality as t (name, place) where to_regclass(name) is not null order by place',
    [TABLES],
  )
  return rows.map(({ name }) => name)
}

/** Where each sequence of this game stands. */
export async function readSequences(client: ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select table_name as table, column_name as column, pg_get_serial_sequence(table_name, column_name) as sequence
    from information_schema.columns
    where table_schema = current_schema and table_name = any ($1) and is_identity = 'YES'`,
    [TABLES],
  )
  const sequences: Sequence[] = []
  for (const { table, column, sequence } of rows) {
    // Not from pg_sequences: it says nothing, rather than to refuse, to whoever may not read this one.
    const found = await client.query<Sequence>(
      `select $1 as table, $2 as column, last_value::text, is_called from ${sequence}`,
      [table, column],
    )
    sequences.push(...found.rows)
  }
  return sequences
}

/** Puts each sequence where `readSequences` found it. */
export async function setSequences(client: ClientBase, sequences: readonly Sequence[]): Promise<void> {
  await client.query(
    `select setval(pg_get_serial_sequence("table", "column"), last_value, is_called)
    from json_to_recordset($1) as sequences ("table" text, "column" text, last_value bigint, is_called boolean)`,
    [JSON.stringify(sequences)],
  )
}
