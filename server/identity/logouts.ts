import type { Database } from '../database/pool.ts'
import { batched } from '../lib/batch.ts'
import { hashSessionToken } from './sessions.ts'

/**
 * Creates the end of a session, which resolves with false when it was over already. Those of one moment are one commit:
 * thousands, each with its own, kept everybody waiting for 4 s on a disk that takes 20 ms.
 */
export function sessionEnd(database: Database): (session: string) => Promise<boolean> {
  return batched(sessions => endSessions(database, sessions.map(hashSessionToken)), {
    size: 200,
    waiting: 20_000,
  })
}

async function endSessions(database: Database, hashes: Buffer[]): Promise<boolean[]> {
  const ended = new Set(await remove(database, hashes, 'skip locked'))
  const outcomes: boolean[] = []
  // What somebody else changes now is waited for alone, so that no two deletions wait for each other.
  for (const hash of hashes) {
    outcomes.push(ended.has(hash.toString('hex')) || (await remove(database, [hash])).length === 1)
  }
  return outcomes
}

/** @returns the hashes, in hex, of the sessions that were open until now */
async function remove(
  database: Database,
  hashes: Buffer[],
  locked: '' | 'skip locked' = '',
): Promise<string[]> {
  const { rows } = await database.query<{ hash: string }>({
    name: `logouts ${locked}`,
    text: `
      delete from sessions where token_hash in (
        select token_hash from sessions where token_hash = any($1::bytea[]) and expires_at > now() for update ${locked}
      )
      returning encode(token_hash, 'hex') as hash`,
    values: [hashes],
  })
  return rows.map(({ hash }) => hash)
}
