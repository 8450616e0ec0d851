import type { Claimed, PrizePool, User } from '../../contract/api.ts'
import type { Database } from '../database/connection.ts'
import type { Closable } from '../lib/process.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import type { NameMask } from '../people/names.ts'
import { Problem } from '../problem.ts'
import { ATTEMPT_COLUMNS, ATTEMPT_JOINS, type AttemptRow } from './attempts.ts'

export async function prizePool(database: Database, mask: NameMask): Promise<PrizePool> {
  const [pools, wins] = await Promise.all([
    database.query<{ taps: number }>({ name: 'prize_pool', text: 'select get_unclaimed_taps() as taps' }),
    database.query<AttemptRow>({ name: 'last_win', text: LAST_WIN }),
  ])
  const taps = pools.rows[0]?.taps ?? 0
  const [win] = wins.rows
  if (!win?.won_taps) return { taps, last_win: null }
  const { username, is_guest, won_taps, created_at } = win
  return {
    taps,
    last_win: { username: mask(username), is_guest, won_taps, created_at: created_at.toISOString() },
  }
}

/** Reads the last win with a few index lookups, however many losing attempts follow. */
const LAST_WIN = `
  select ${ATTEMPT_COLUMNS}
  from (select attempt_id from prizes order by attempt_id desc limit 1) as last
  cross join lateral (select * from attempts where attempts.id = last.attempt_id limit 1) as attempts
  ${ATTEMPT_JOINS}`

/**
 * Moves at most 500 expired holds to the pool. When none has expired, shortens holds that end too late.
 *
 * @returns the number of TAPS moved
 */
export async function expireHolds(database: Database, holdMinutes: number): Promise<number> {
  const text = 'select expire_holds($1) as taps'
  const { rows } = await database.query<{ taps: number }>(text, [`${holdMinutes} minutes`])
  return rows[0]?.taps ?? 0
}

/**
 * Moves a user's held prizes into the balance.
 *
 * @throws {Problem} login_required when the user was deleted during the claim
 */
export async function claim(database: Database, { id, username }: User): Promise<Claimed> {
  const { rows } = await database.query<{ taps: number; balance: number }>({
    name: 'claim',
    text: 'select taps, balance from claim_taps($1)',
    values: [id],
  })
  const [claimed] = rows
  if (!claimed) throw new Problem('login_required')
  return { taps: claimed.taps, user: { id, username, taps_balance: claimed.balance } }
}

/** The interval between checks for expired prizes. */
const INTERVAL_MS = 1_000

/**
 * Returns expired prizes to the pool until stopped. Every node may run this timer, because each prize returns
 * only once.
 *
 * @param onReturned - Called after each commit that returned a prize.
 * @returns the timer
 */
export function startHoldExpiry(
  database: Database,
  holdMinutes: number,
  log: Logger,
  onReturned: () => void,
): Closable {
  const throttle = new Throttle(INTERVAL_MS, async () => {
    throttle.ask()
    try {
      let taps: number
      do {
        taps = await expireHolds(database, holdMinutes)
        if (taps > 0) onReturned()
      } while (taps > 0)
    } catch (error) {
      log.warn({ err: error }, 'expired prizes could not be returned; trying again in a second')
    }
  })
  throttle.ask()
  return throttle
}
