import type { ClientBase } from 'pg'
import { skeleton } from './skeleton.ts'

/** About 10 ms of work for the database. */
const AT_ONCE = 1_000

/**
 * Writes down what the names of accounts look like, where that is not known yet. Of several that look alike the
 * first account has the name to itself; the others keep theirs and are marked as its twins. Can be broken off and
 * begun again at any time.
 *
 * @param client used by nobody else, while nobody creates accounts
 */
export async function fillSkeletons(client: ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ id: string; username: string }>(
      'select id, username from users where skeleton is null order by id limit $1',
      [AT_ONCE],
    )
    if (rows.length === 0) return
    await client.query(
      `with filled as (
        select id, skeleton, row_number() over (partition by skeleton order by id) as place
        from unnest($1::bigint[], $2::text[]) as named (id, skeleton)
      )
      update users set
        skeleton = filled.skeleton,
        twin = case
          when place > 1 or exists (select from users as older where older.skeleton = filled.skeleton) then users.id
          else 0
        end
      from filled where users.id = filled.id`,
      [rows.map(({ id }) => id), rows.map(({ username }) => skeleton(username))],
    )
  }
}
