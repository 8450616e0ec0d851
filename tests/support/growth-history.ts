import type { ClientBase } from 'pg'
import { TARGET_COUNT, TARGET_MIN_MS, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { toSeconds } from '../../contract/time.ts'

export interface HistorySize {
  readonly attempts: number
  /** The number of accounts, at least one. */
  readonly accounts: number
}

/**
 * Returns statements that insert a history: half of the attempts by accounts, half by guests with five rounds
 * each. One attempt in eight wins; the prizes of the last 8,000 attempts are still held.
 */
const statements = ({ attempts, accounts }: HistorySize) => [
  `insert into attempts (id, player, round, user_id, username, target_time, actual_time, difference, created_at)
  overriding system value
  select
    id, player, row_number() over (partition by player order by id), account, coalesce('Member ' || account, 'Guest ' || guest),
    target, target + difference, difference, timestamptz '2026-11-01' - (1 - id / ${attempts}.0) * interval '90 days'
  from generate_series(1, ${attempts}::bigint) as id
  cross join lateral (
    select
      case when id % 2 = 0 then 1 + floor(${accounts} * ((hashint8(id) & 65535) / 65536.0) ^ 2)::bigint end as account,
      id / 10 as guest, hashint8(-id) & 65535 as chance
  ) as chosen
  cross join lateral (
    select
      md5(coalesce('account ' || account, 'guest ' || guest))::uuid as player, ${toSeconds(TARGET_MIN_MS)} + chance % ${TARGET_COUNT} / 100.0 as target,
      case when chance % 8 = 0 then chance % ${2 * WIN_TOLERANCE_MS + 1} - ${WIN_TOLERANCE_MS}
        else ${WIN_TOLERANCE_MS} + 50 + chance % 850 end / 1000.0 as difference
  ) as played
  order by id`,
  `create temporary table won as
  select
    id, player, user_id, created_at, id - lag(id, 1, 0::bigint) over (order by id) as taps,
    id > ${attempts} - 8000 as held, min(id) filter (where id > ${attempts} - 8000) over (partition by player) as first_held
  from attempts where abs(difference) <= ${toSeconds(WIN_TOLERANCE_MS)}`,
  `insert into users (id, username, username_key, password_hash, taps_balance, player)
  overriding system value
  select
    account, 'Member ' || account, 'member' || account, '$2b$10$' || repeat('.', 53), coalesce(claimed.taps, 0),
    md5('account ' || account)::uuid
  from generate_series(1, ${accounts}::bigint) as account
  left join (select user_id, sum(taps) as taps from won where not held group by user_id) as claimed on user_id = account`,
  `insert into sessions (token_hash, user_id, created_at, expires_at)
  select sha256(id::text::bytea), id, now() - id % 20 * interval '1 day', '2100-01-01' from users`,
  `insert into holds (id, player, taps, held_until, ended_at, ended_as, claimed_by)
  select
    id, player, taps, case when user_id is null then created_at end, created_at,
    case when user_id is null then 'returned' else 'claimed' end, user_id
  from won where not held
  union all
  select first_held, player, sum(taps), case when user_id is null then timestamptz '2100-01-01' end, null, null, null
  from won where held group by first_held, player, user_id`,
  'insert into prizes (attempt_id, hold_id, taps) select id, case when held then first_held else id end, taps from won',
  `update prize_pool set taps = ${attempts}
    - (select coalesce(sum(taps_balance), 0) from users)
    - (select coalesce(sum(taps), 0) from holds where ended_at is null)`,
  `select
    setval(pg_get_serial_sequence('attempts', 'id'), ${attempts}), setval(pg_get_serial_sequence('users', 'id'), ${accounts})`,
  'drop table won',
]

/**
 * Fills an empty migrated database with the same balanced history in every run.
 *
 * @param client - A client without a statement timeout.
 */
export async function loadHistory(client: ClientBase, size: HistorySize): Promise<void> {
  for (const statement of statements(size)) await client.query(statement)
  await client.query('vacuum analyze')
}
