import type { Prize, User } from '../../contract/api.ts'
import type { Database } from '../database/pool.ts'
import type { LastAttempt } from '../game/rounds.ts'
import { batched } from '../lib/batch.ts'
import { newPlayer, type PlayerId } from './player.ts'
import {
  hashSessionToken,
  MAX_SESSIONS,
  newSessionToken,
  SESSION_IDLE,
  SESSION_LONGEST,
  SESSION_RENEWED_AFTER,
} from './sessions.ts'

/** A sign-in whose answer was lost can be finished by the guest's cookie for this long. */
const FINISH_WINDOW = '10 minutes'

/** What a browser brings along: the text of its session cookie and the player of its guest cookie. */
export interface Credentials {
  readonly session: string | null
  readonly guest: PlayerId | null
}

/** Who is playing, where they stand, and what is held for them. */
export interface Identity {
  readonly player: PlayerId
  readonly user: User | null
  readonly last: LastAttempt
  readonly prize: Prize | null
}

/** What the database knows of some credentials; no visitor when they name nobody. */
interface Found {
  readonly identity: Identity | null
  /** The session was not used before. */
  readonly fresh: boolean
  /** The session's idle time is to be counted anew. */
  readonly due: boolean
  /** The guest signed in, and the answer may never have reached the browser. */
  readonly unfinished: boolean
}

interface Row {
  player: PlayerId | null
  id: number | null
  username: string | null
  taps_balance: number | null
  last_id: number | null
  last_round: number | null
  held_taps: number | null
  held_until: Date | null
  fresh: boolean
  due: boolean
  unfinished: boolean
}

/** What a prize looks like to its holder; null when nothing is held. */
export function prizeOf(taps: number | null, heldUntil: Date | null, now: number): Prize | null {
  if (!taps) return null
  if (heldUntil === null) return { taps, held_until: null, held_seconds: null }
  const held_seconds = Math.max(0, Math.ceil((heldUntil.getTime() - now) / 1_000))
  return { taps, held_until: heldUntil.toISOString(), held_seconds }
}

/** A player who has never been here. */
export function newGuest(): Identity {
  return { player: newPlayer(), user: null, last: { id: 0, round: 0 }, prize: null }
}

/** Finds out who is behind a request, for many requests in one read. */
export class Identities {
  readonly #database: Database
  readonly #find: (credentials: Credentials) => Promise<Found>

  constructor(database: Database) {
    this.#database = database
    this.#find = batched(batch => this.#read(batch), { size: 200, waiting: 20_000 })
  }

  /** The visitor, or null when the credentials name nobody (any more). */
  async find(credentials: Credentials): Promise<Identity | null> {
    if (!credentials.session && !credentials.guest) return null
    return (await this.#find(credentials)).identity
  }

  /**
   * The visitor behind a request. A session that is used for the first time proves that its sign-in was
   * heard of, which closes the door that `restore` keeps open and ends the session whose place it took. One that
   * was not used for a day is good for another thirty.
   */
  async authenticate(credentials: Credentials): Promise<Identity | null> {
    if (!credentials.session && !credentials.guest) return null
    const { identity, fresh, due } = await this.#find(credentials)
    if (fresh && credentials.session) await this.#markUsed(credentials.session)
    if (due && credentials.session) await this.#renew(credentials.session)
    return identity
  }

  /**
   * Finishes a sign-in whose answer was lost: the guest who asked for it gets a session of its own, as long
   * as none that it asked for has been used, and for ten minutes. This answer may be lost as well.
   *
   * @returns the token of the new session, or null when there is nothing to finish
   */
  async restore({ guest }: Credentials): Promise<string | null> {
    if (!guest) return null
    const { unfinished } = await this.#find({ session: null, guest })
    if (!unfinished) return null
    const session = newSessionToken()
    const { rows } = await this.#database.query<{ restored: boolean }>(
      'select restore_session($1, $2, $3, $4) as restored',
      [guest, hashSessionToken(session), FINISH_WINDOW, MAX_SESSIONS],
    )
    return rows[0]?.restored ? session : null
  }

  async #read(batch: Credentials[]): Promise<Found[]> {
    const { rows } = await this.#database.query<Row>({
      name: 'visitors',
      text: `
        select
          identity.player, account.id, account.username, account.taps_balance,
          last.id as last_id, last.round as last_round, held.taps as held_taps, held.held_until,
          sessions.token_hash is not null and sessions.used_at is null as fresh,
          coalesce(
            sessions.expires_at < least(now() + $4::interval, sessions.created_at + $5::interval) - $6::interval,
            false
          ) as due,
          exists (
            select from sessions as unused
            where unused.guest = input.guest and unused.used_at is null
              and unused.created_at > now() - $3::interval
          ) as unfinished
        from unnest($1::bytea[], $2::uuid[]) with ordinality as input (token_hash, guest, place)
        left join sessions on sessions.token_hash = input.token_hash and sessions.expires_at > now()
        left join users as account on account.id = sessions.user_id
        left join users as owner on owner.player = input.guest
        cross join lateral (
          -- The cookie of a guest who has become an account names nobody any more.
          select coalesce(account.player, case when owner.id is null then input.guest end) as player
        ) as identity
        left join lateral (
          select id, round from attempts where attempts.player = identity.player order by round desc limit 1
        ) as last on true
        left join holds as held
          on held.player = identity.player and (held.held_until is null or held.held_until > now())
        order by input.place`,
      values: [
        batch.map(({ session }) => (session ? hashSessionToken(session) : null)),
        batch.map(({ guest }) => guest),
        FINISH_WINDOW,
        SESSION_IDLE,
        SESSION_LONGEST,
        SESSION_RENEWED_AFTER,
      ],
    })
    const now = Date.now()
    return rows.map(row => {
      const { fresh, due, unfinished } = row
      return { identity: toIdentity(row, now), fresh, due, unfinished }
    })
  }

  async #markUsed(session: string): Promise<void> {
    await this.#database.query('select use_session($1)', [hashSessionToken(session)])
  }

  async #renew(session: string): Promise<void> {
    await this.#database.query(
      `update sessions set expires_at = least(now() + $2::interval, created_at + $3::interval)
      where token_hash = $1 and expires_at > now()`,
      [hashSessionToken(session), SESSION_IDLE, SESSION_LONGEST],
    )
  }
}

function toIdentity(row: Row, now: number): Identity | null {
  if (row.player === null) return null
  const { id, username, taps_balance } = row
  const known = id !== null && username !== null && taps_balance !== null
  return {
    player: row.player,
    user: known ? { id, username, taps_balance } : null,
    last: { id: row.last_id ?? 0, round: row.last_round ?? 0 },
    prize: prizeOf(row.held_taps, row.held_until, now),
  }
}
