import type { Database } from '../database/pool.ts'
import { hashSessionToken } from './sessions.ts'

/** Creates a function that ends a session and returns whether the session was open. */
export function createEndSession(database: Database): (sessionToken: string) => Promise<boolean> {
  return async sessionToken => {
    const { rowCount } = await database.query({
      name: 'end_session',
      text: 'delete from sessions where token_hash = $1 and expires_at > now()',
      values: [hashSessionToken(sessionToken)],
    })
    return rowCount === 1
  }
}
