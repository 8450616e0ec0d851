import { randomUUID } from 'node:crypto'
import type { PlayerRecord, Prize, User } from '../../contract/api.ts'
import type { Database } from '../database/connection.ts'
import { batched } from '../lib/batch.ts'
import { Problem } from '../problem.ts'
import { toPrize } from './held-prize.ts'
import { hashSessionToken, RENEWAL_IS_DUE, renewSession } from './sessions.ts'

export type PlayerId = string

/** A player's last attempt; both fields are 0 before any attempt. */
export interface LastAttempt {
  readonly id: number
  readonly round: number
}

/** The record before any attempt. */
export const NO_RECORD: PlayerRecord = { rounds: 0, best: null, streak: 0 }

export function newPlayerId(): PlayerId {
  return randomUUID()
}

export interface Caller {
  readonly playerId: PlayerId
  readonly credentials: Credentials
  /** The player's state; null for a guest until needed. */
  readonly state: PlayerState | null
}

export type SignedInCaller = PlayerState & { readonly user: User }

/** @throws {Problem} login_required */
export function requireUser(caller: Caller | null): SignedInCaller {
  const state = caller?.state
  if (!state?.user) throw new Problem('login_required')
  return { ...state, user: state.user }
}

/** The contents of a browser's two cookies. */
export interface Credentials {
  readonly sessionToken: string | null
  readonly guestId: PlayerId | null
}

/** A player's state in the database. */
export interface PlayerState {
  readonly playerId: PlayerId
  /** The user, or null for a guest. */
  readonly user: User | null
  readonly lastAttempt: LastAttempt
  readonly record: PlayerRecord
  readonly prize: Prize | null
  /** The database's time of this read; null for a new guest, whose state was not read. */
  readonly readAt: Date | null
}

/**
 * Returns the condition that a player has, or had, an account.
 *
 * @param player - An expression of SQL. `offset 0` forces an index lookup: docs/decisions/0017-plans.md.
 */
export function hadAccount(player: string): string {
  return `exists (select from account_players where account_players.player = ${player} offset 0)`
}

interface Row {
  player: PlayerId | null
  id: number | null
  username: string | null
  taps_balance: number | null
  last_id: number | null
  last_round: number | null
  best: number | null
  streak: number | null
  held_taps: number | null
  held_until: Date | null
  now: Date
  /** Whether the session must be renewed. */
  due: boolean
}

export function newGuest(): PlayerState {
  const lastAttempt = { id: 0, round: 0 }
  return { playerId: newPlayerId(), user: null, lastAttempt, record: NO_RECORD, prize: null, readAt: null }
}

export type Authenticate = ReturnType<typeof createAuthentication>

/**
 * Creates a function that reads the player of a browser's cookies, and renews the session at most once a day. The
 * function resolves to null when the credentials belong to no current player.
 */
export function createAuthentication(database: Database) {
  const read = batched((batch: Credentials[]) => readBatch(database, batch), { size: 200, waiting: 20_000 })
  return async (credentials: Credentials): Promise<PlayerState | null> => {
    const { sessionToken, guestId } = credentials
    if (!sessionToken && !guestId) return null
    const row = await read(credentials)
    if (sessionToken && row.due) await renewSession(database, sessionToken)
    return toPlayerState(row)
  }
}

async function readBatch(database: Database, batch: Credentials[]): Promise<Row[]> {
  const { rows } = await database.query<Row>({
    name: 'identities',
    text: `
      select
        identity.player, account.id, account.username, account.taps_balance,
        last.id as last_id, last.round as last_round, last.best, last.streak,
        held.taps as held_taps, held.held_until, now(),
        coalesce(${RENEWAL_IS_DUE}, false) as due
      from unnest($1::bytea[], $2::uuid[]) with ordinality as input (token_hash, guest, place)
      left join lateral (
        select * from sessions where sessions.token_hash = input.token_hash and expires_at > now() limit 1
      ) as sessions on true
      left join lateral (
        select id, username, taps_balance, player from users where users.id = sessions.user_id limit 1
      ) as account on true
      cross join lateral (
        -- Ignores the guest cookie of a player who has signed up.
        select coalesce(
          account.player,
          case when not ${hadAccount('input.guest')} then input.guest end
        ) as player
      ) as identity
      left join lateral last_attempt(identity.player) as last on true
      left join lateral (
        select taps, held_until from holds
        where holds.player = identity.player and ended_at is null and (held_until is null or held_until > now())
        limit 1
      ) as held on true
      order by input.place`,
    values: [
      batch.map(({ sessionToken }) => (sessionToken ? hashSessionToken(sessionToken) : null)),
      batch.map(({ guestId }) => guestId),
    ],
  })
  return rows
}

function toPlayerState(row: Row): PlayerState | null {
  if (row.player === null) return null
  const { id, username, taps_balance } = row
  const known = id !== null && username !== null && taps_balance !== null
  return {
    playerId: row.player,
    user: known ? { id, username, taps_balance } : null,
    lastAttempt: { id: row.last_id ?? 0, round: row.last_round ?? 0 },
    record: { rounds: row.last_round ?? 0, best: row.best, streak: row.streak ?? 0 },
    prize: toPrize(row.held_taps, row.held_until, row.now),
    readAt: row.now,
  }
}
