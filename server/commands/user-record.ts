import type { ClientBase } from 'pg'
import type { PlayerId } from '../people/player.ts'

/** A user as operators see it. */
export interface UserRecord {
  readonly id: number
  readonly username: string
  readonly playerId: PlayerId
  readonly balance: number
  readonly createdAt: Date
  readonly bannedAt: Date | null
}

/** @param condition - Ends the statement, from `where` on; its parameters are the values. */
export async function findUsers(
  client: ClientBase,
  condition: string,
  ...values: readonly unknown[]
): Promise<UserRecord[]> {
  const { rows } = await client.query<UserRecord>(
    `select id, username, player as "playerId", taps_balance as balance, created_at as "createdAt",
      banned_at as "bannedAt"
    from users ${condition}`,
    [...values],
  )
  return rows
}
