import type { ClientBase } from 'pg'

/** An account that its name does not lead to. */
export interface LostAccount {
  readonly id: number
  readonly username: string
  /** Whether an older account has the same name. */
  readonly isTwin: boolean
}

/**
 * Reads each account by its ID, then by its name's key, and compares the two. Twins are searched among the accounts
 * that were read by ID, because a damaged index has not the order that PostgreSQL expects of it.
 */
const LOST = `
  with accounts as materialized (
    select id, username, username_key from users order by id
  )
  select accounts.id, username, "isTwin"
  from (
    select *, row_number() over (partition by username_key order by id) > 1 as "isTwin" from accounts
  ) as accounts
  left join lateral (
    select id from users where users.username_key = accounts.username_key limit 1
  ) as found on true
  where "isTwin" or found.id is null
  order by accounts.id`

export async function findLostAccounts(client: ClientBase): Promise<LostAccount[]> {
  // Otherwise PostgreSQL would read a small table without the index.
  await client.query('begin read only; set local enable_seqscan = off')
  try {
    return (await client.query<LostAccount>(LOST)).rows
  } finally {
    await client.query('rollback')
  }
}
