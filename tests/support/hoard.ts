import { randomBytes, randomUUID } from 'node:crypto'
import type { Client } from 'pg'

/** An account and a guest who hold many prizes of one TAPS each. */
export interface Hoard {
  readonly prizes: number
  readonly userId: number
  readonly guest: string
}

/** An act, as a statement with its values. */
export interface Act {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

const HASH = 'hash'

/** Creates an account and a guest with this many held prizes each; the account has claimed as many before. */
export async function loadHoard(client: Client, prizes: number): Promise<Hoard> {
  const [owner, guest] = [randomUUID(), randomUUID()]
  const { rows } = await client.query<{ id: string }>(
    `insert into users (username, username_key, password_hash, player) values ($1, $1, '${HASH}', $2) returning id`,
    [`Hoarder of ${prizes}`, owner],
  )
  const userId = Number(rows[0]?.id)
  await win(client, owner, userId, 1, prizes)
  await client.query('select claim_taps($1)', [userId])
  await win(client, owner, userId, prizes + 1, prizes)
  await win(client, guest, null, 1, prizes)
  return { prizes, userId, guest }
}

async function win(client: Client, player: string, userId: number | null, from: number, prizes: number) {
  await client.query(
    `with played as (
      insert into attempts (player, round, user_id, username, target_time, actual_time, difference)
      select $1, round, $2, 'Hoarder', 2, 2, 0 from generate_series($3::integer, $3 + $4 - 1) as round
      returning id
    ), prized as (
      insert into prizes (attempt_id, hold_id, taps) select id, min(id) over (), 1 from played
    )
    insert into holds (id, player, taps, held_until)
    select min(id), $1, count(*), case when $2::bigint is null then now() + interval '1 hour' end from played`,
    [player, userId, from, prizes],
  )
}

/** Gives this many guests an expired hold. */
export async function loadDueHolds(client: Client, guests: number): Promise<string[]> {
  const players = Array.from({ length: guests }, () => randomUUID())
  await client.query(
    `with played as (
      insert into attempts (player, round, username, target_time, actual_time, difference)
      select player, 1, 'Late', 2, 2, 0 from unnest($1::uuid[]) as player
      returning id, player
    ), prized as (
      insert into prizes (attempt_id, hold_id, taps) select id, id, 1 from played
    )
    insert into holds (id, player, taps, held_until)
    select id, player, 1, now() - interval '1 minute' from played`,
    [players],
  )
  return players
}

/** The acts that move or end holds, as the server calls them. */
export function actsOf({ userId, guest }: Hoard): Act[] {
  const token = () => randomBytes(32)
  return [
    { name: 'a claim', text: 'select claim_taps($1)', values: [userId] },
    {
      name: 'a sign-in that brings along',
      text: `select open_session($1, '${HASH}', $2, null, $3, '30 days', 20)`,
      values: [userId, token(), guest],
    },
    {
      name: 'a sign-up that brings along',
      text: `select create_account($1, $1, '${HASH}', $2, null, $3, null, '30 days', 20)`,
      values: [`New ${guest}`, guest, token()],
    },
    {
      name: 'a deletion',
      text: `select delete_account($1, '${HASH}', 2147483647, 'Deleted player')`,
      values: [userId],
    },
  ]
}

/** Runs something in a transaction that is rolled back. */
export async function inVain<Result>(client: Client, act: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    return await act()
  } finally {
    await client.query('rollback')
  }
}
