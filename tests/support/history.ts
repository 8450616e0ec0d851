import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { Past } from './past.ts'

/** How much has happened before. */
export interface HistorySize {
  readonly attempts: number
  /** At least one. */
  readonly accounts: number
}

/** Rows are handed over in pieces of about this size. */
const PIECE_CHARS = 64 * 1_024

/**
 * Fills a migrated database in which nothing has happened with what a crowd has done, by COPY, in balance: the TAPS of
 * all attempts are in the pool, in held prizes and in balances. The same in every run.
 *
 * @param client whose statements may take as long as they like
 */
export async function loadHistory(client: ClientBase, size: HistorySize): Promise<void> {
  await loadUnseen(client, size)
  await client.query('vacuum analyze')
}

/** The same, without a word to the planner. */
export async function loadUnseen(client: ClientBase, { attempts, accounts }: HistorySize): Promise<void> {
  const past = new Past(attempts, accounts)
  const copy = async (into: string, rows: Iterable<string>) => {
    await pipeline(Readable.from(inPieces(rows)), client.query(copyFrom(`copy ${into} from stdin`)))
  }
  const times = 'target_time, actual_time, difference'
  await copy(`attempts (id, player, round, user_id, username, ${times}, created_at)`, past.attempts())
  await copy('users (id, username, username_key, password_hash, taps_balance, player)', past.users())
  await copy('sessions (token_hash, user_id, created_at, expires_at)', past.sessions())
  await copy('holds (id, player, taps, held_until, ended_at, ended_as, claimed_by)', past.holds())
  await copy('prizes (attempt_id, hold_id, taps)', past.prizes())
  await client.query('update prize_pool set taps = $1', [past.pool])
  for (const [table, last] of Object.entries({ attempts, users: accounts })) {
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), greatest($2, 1), $2 > 0)`, [
      table,
      last,
    ])
  }
}

function* inPieces(rows: Iterable<string>): Generator<Buffer> {
  let piece = ''
  for (const row of rows) {
    piece += row
    if (piece.length < PIECE_CHARS) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}
