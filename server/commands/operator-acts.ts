import type { ClientBase, QueryResultRow } from 'pg'
import { systemUser } from '../lib/process.ts'
import type { UserRecord } from './user-record.ts'

interface OperatorAct {
  readonly act: string
  readonly user?: UserRecord
  readonly detail?: string | undefined
}

/**
 * Runs an operator's statement and records the action, both in one query.
 *
 * @param statement - Must return one row on success, and none when there was nothing to do. A column `taps` is
 *   recorded as the TAPS that went back to the pool.
 */
export async function runAudited<Row extends QueryResultRow>(
  client: ClientBase,
  { act, user, detail }: OperatorAct,
  statement = 'select',
  values: readonly unknown[] = [],
): Promise<Row | undefined> {
  const [actPlace, idPlace, namePlace, detailPlace, byPlace] = ['text', 'bigint', 'text', 'text', 'text'].map(
    (type, place) => `$${values.length + place + 1}::${type}`,
  )
  const { rows } = await client.query<Row>(
    `with done as (${statement}),
    noted as (
      insert into operator_acts (act, user_id, name, detail, by_user)
      select ${actPlace}, ${idPlace}, ${namePlace},
        nullif(concat_ws('; ', ${detailPlace}, nullif(to_jsonb(done) ->> 'taps', '0') || ' TAPS back in the pool'), ''), ${byPlace}
      from done
    )
    select * from done`,
    [...values, act, user?.id, user?.username, detail, systemUser()],
  )
  return rows[0]
}
