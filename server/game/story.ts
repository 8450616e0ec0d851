import type { ClientBase } from 'pg'
import type { PlayerId } from '../identity/player.ts'

/** What has become of a prize. */
type State = 'held' | 'claimed' | 'returned'

/** A prize in the story of an account's TAPS: the attempt that won it, and what became of it. */
export interface StoryLine {
  readonly attempt: number
  readonly at: Date
  /** In seconds, exact in 3 decimals. */
  readonly targetTime: number
  readonly actualTime: number
  readonly taps: number
  readonly username: string
  /** Who won it: the account's own player, or a guest whose prize it took over. */
  readonly player: PlayerId
  /** It was won by a guest, as the account's player too was before the sign-up. */
  readonly isGuest: boolean
  /** When the guest became or signed in to the account, with the prize in hand. */
  readonly broughtAt: Date | null
  readonly state: State
  /** Null while it is held. */
  readonly endedAt: Date | null
}

/** What prizes come to, in TAPS. */
export interface StorySum extends Readonly<Record<State, number>> {
  readonly prizes: number
}

/** Where the TAPS of an account come from and where they went, in one snapshot if the transaction has one. */
export interface Story {
  /** The newest first. */
  readonly lines: readonly StoryLine[]
  /** Of all prizes. */
  readonly total: StorySum
  /** Of the prizes older than the lines. */
  readonly older: StorySum
  /** What `holds` says is held. */
  readonly held: number
  /** How many attempts the account's player has made. */
  readonly attempts: number
}

/**
 * The prizes of the account of a player ($1) up to an attempt ($2): its own, as far as it kept them, and those of guests
 * it took over. They go the ways of `acts/prize_state.sql`, here with the times.
 */
const PRIZES = `
  from (
    select $1::uuid as player union select player from transfers where to_player = $1 and taps > 0
  ) as hand
  join attempts on attempts.player = hand.player and attempts.id <= $2
  join prizes on prizes.attempt_id = attempts.id
  left join lateral (
    select * from transfers
    where player = attempts.player and through >= attempts.id
    order by through, id limit 1
  ) as first on true
  left join lateral (
    select * from transfers where player = first.to_player and transfers.id > first.id order by id limit 1
  ) as next on true
  cross join lateral (
    select
      case when first.to_player is null then first.kind else next.kind end as kind,
      case when first.to_player is null then first.created_at else next.created_at end as at
  ) as ending
  where coalesce(first.to_player, attempts.player) = $1`

const STATE = `coalesce(ending.kind, 'held')`

/** Above every attempt. */
const NEWEST = Number.MAX_SAFE_INTEGER

/**
 * Reads the story of an account's TAPS; of a million prizes no more than asked for leave the database.
 *
 * @param player the account's
 * @param upTo the number of an attempt: lines of later ones are left out
 * @param limit no more lines than this
 */
export async function readStory(
  client: ClientBase,
  player: PlayerId,
  upTo = NEWEST,
  limit = 50,
): Promise<Story> {
  const lines = await readLines(client, player, upTo, limit)
  const { rows } = await client.query<{ held: number; attempts: number }>(
    `select
      coalesce((select taps from holds where player = $1), 0) as held,
      (select count(*) from attempts where player = $1) as attempts`,
    [player],
  )
  const { held = 0, attempts = 0 } = rows[0] ?? {}
  const total = await readSum(client, player, NEWEST)
  const older = await readSum(client, player, (lines.at(-1)?.attempt ?? 1) - 1)
  return { lines, total, older, held, attempts }
}

async function readLines(
  client: ClientBase,
  player: PlayerId,
  upTo: number,
  limit: number,
): Promise<StoryLine[]> {
  const { rows } = await client.query<StoryLine>(
    `select
      attempts.id as attempt, attempts.created_at as at, attempts.username, attempts.player, prizes.taps,
      attempts.target_time as "targetTime", attempts.actual_time as "actualTime",
      attempts.user_id is null as "isGuest",
      case when first.to_player is not null then first.created_at end as "broughtAt",
      ${STATE} as state, ending.at as "endedAt"
    ${PRIZES}
    order by attempts.id desc limit $3`,
    [player, upTo, limit],
  )
  return rows
}

async function readSum(client: ClientBase, player: PlayerId, upTo: number): Promise<StorySum> {
  const { rows } = await client.query<{ state: State; prizes: number; taps: number }>(
    `select ${STATE} as state, count(*) as prizes, sum(prizes.taps) as taps ${PRIZES} group by 1`,
    [player, upTo],
  )
  const tapsOf = (wanted: State) => rows.find(({ state }) => state === wanted)?.taps ?? 0
  return {
    prizes: rows.reduce((sum, { prizes }) => sum + prizes, 0),
    held: tapsOf('held'),
    claimed: tapsOf('claimed'),
    returned: tapsOf('returned'),
  }
}

/** What a deleted account has left. */
export interface DeletedAccount {
  readonly player: PlayerId
  readonly deletedAt: Date
  /** What was in its balance, and went back to the pool. */
  readonly forfeited: number
}

/** The account that had this number, if there was one and it is no more. */
export async function deletedAccount(client: ClientBase, id: number): Promise<DeletedAccount | undefined> {
  const { rows } = await client.query<DeletedAccount>(
    `select player, created_at as "deletedAt", taps as forfeited from transfers
    where user_id = $1 and kind = 'forfeited'`,
    [id],
  )
  return rows[0]
}
