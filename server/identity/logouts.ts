import type { Database } from '../database/pool.ts'
import { batched, type Settled } from '../lib/batch.ts'
import { Problem } from '../problem.ts'
import { hashSessionToken } from './sessions.ts'

/**
 * Creates the end of a session, which resolves with false when it was over already. Those of one moment are one commit:
 * thousands, each with its own, kept everybody waiting for 4 s on a disk that takes 20 ms.
 *
 * @throws Problem `unavailable` from the returned function while something else changes the session
 */
export function sessionEnd(database: Database): (session: string) => Promise<boolean> {
  return batched(sessions => endSessions(database, sessions), { size: 200, waiting: 20_000 })
}

/** Leaves out what is locked: to wait for it would hold up the others, and two deletions could wait for each other. */
async function endSessions(database: Database, sessions: string[]): Promise<Settled<boolean>[]> {
  const { rows } = await database.query<{ place: number; ended: boolean }>({
    name: 'logouts',
    text: `
      with open as (
        select token_hash, place from unnest($1::bytea[]) with ordinality as input (token_hash, place)
        where exists (
          select from sessions where sessions.token_hash = input.token_hash and expires_at > now() offset 0
        )
      ), ended as (
        delete from sessions where token_hash in (
          select token_hash from sessions where token_hash = any($1::bytea[]) and expires_at > now()
          for update skip locked
        )
        returning token_hash
      )
      select place, ended.token_hash is not null as ended from open left join ended using (token_hash)`,
    values: [sessions.map(hashSessionToken)],
  })
  const open = new Map(rows.map(({ place, ended }) => [place - 1, ended]))
  return sessions.map((_, place) => {
    if (open.get(place) === false) return new Problem('unavailable', { retryAfter: 1 })
    return open.has(place)
  })
}
