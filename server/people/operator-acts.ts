import type { ClientBase, QueryResultRow } from 'pg'
import type { Database } from '../database/connection.ts'
import { systemUser } from '../lib/process.ts'

export interface OperatorAct {
  readonly act: string
  readonly userId?: number | undefined
  readonly name?: string | undefined
  readonly detail?: string | undefined
}

/**
 * Runs an operator's statement and records the action, both in one query.
 *
 * @param statement - Must return one row on success, and none when there was nothing to do.
 */
export async function runAudited<Row extends QueryResultRow>(
  client: Database | ClientBase,
  { act, userId, name, detail }: OperatorAct,
  statement: string,
  values: readonly unknown[],
): Promise<Row | undefined> {
  const [first, second, third, fourth, fifth] = [1, 2, 3, 4, 5].map(place => `$${values.length + place}`)
  const { rows } = await client.query<Row>(
    `with done as (${statement}),
    noted as (
      insert into operator_acts (act, user_id, name, detail, by_user)
      select ${first}::text, ${second}::bigint, ${third}::text, ${fourth}::text, ${fifth}::text from done
    )
    select * from done`,
    [...values, act, userId, name, detail, systemUser()],
  )
  return rows[0]
}

/**
 * Records an operator's action outside the database, such as a backup.
 *
 * @returns false when the database cannot be written
 */
export async function noteAct(client: ClientBase, act: OperatorAct): Promise<boolean> {
  const { rows } = await client.query<{ possible: boolean | null }>(
    `select has_table_privilege('operator_acts', 'insert')
      and current_setting('transaction_read_only') = 'off' as possible`,
  )
  if (!rows[0]?.possible) return false
  await runAudited(client, act, 'select', [])
  return true
}
