-- Players too steady to be people, and what that means for their attempts.

-- A flag stands from flagged_at until it is cleared; the attempts before the clearing never count again.
-- `deviation_ms` is what was seen.
create table flags (
  player       uuid not null,
  deviation_ms numeric(6, 3) not null check (deviation_ms >= 0),
  flagged_at   timestamptz not null default now(),
  cleared_at   timestamptz check (cleared_at >= flagged_at),
  primary key (player, flagged_at)
);

create unique index flags_standing on flags (player) where cleared_at is null;

-- Verified says that the two clocks agree. The clocks of a flagged player do.
alter table attempts
  drop column verified,
  add column verified boolean not null generated always as (reason is distinct from 'clock') stored;

-- It returns one column more now, which no replacement can.
drop function record_attempts;

-- Records a batch of attempts in the order given, hands the pool to the wins among them, and returns what was
-- recorded. Rows of a round that was already played, or whose player is not (or no longer) the visitor who
-- sent them, are left out. An attempt of a flagged player wins nothing; one that cannot win for another reason
-- keeps that one.
create function record_attempts(
  players     uuid[],
  rounds      integer[],
  user_ids    bigint[],
  usernames   text[],
  targets_ms  integer[],
  actuals_ms  integer[],
  reasons     text[],
  wins        boolean[],
  taps_each   integer,
  hold        interval
) returns table (
  place         bigint,
  id            bigint,
  username      text,
  created_at    timestamptz,
  reason        text,
  won_taps      bigint,
  held_taps     bigint,
  held_until    timestamptz
)
language plpgsql
as $$
#variable_conflict use_column
declare
  pool bigint;
begin
  select taps into strict pool from prize_pool for update;

  return query
  with input as (
    -- Of two rows of one round the first counts.
    select distinct on (input.player, input.round) *
    from unnest(players, rounds, user_ids, usernames, targets_ms, actuals_ms, reasons, wins)
      with ordinality as input (player, round, user_id, username, target_ms, actual_ms, reason, wins, place)
    order by input.player, input.round, input.place
  ), recorded as (
    insert into attempts
      (player, round, user_id, username, target_time, actual_time, difference, taps_added, reason)
    select
      input.player, input.round, input.user_id, coalesce(users.username, input.username),
      input.target_ms / 1000.0, input.actual_ms / 1000.0, (input.actual_ms - input.target_ms) / 1000.0,
      taps_each, coalesce(input.reason, case when flags.player is not null then 'flagged' end)
    from input
    left join users on users.player = input.player
    left join flags on flags.player = input.player and flags.cleared_at is null
    where users.id is not distinct from input.user_id
    order by input.place
    on conflict do nothing
    returning id, player, round, user_id, username, taps_added, reason, created_at
  ), placed as (
    select
      input.place, input.wins and recorded.reason is null as wins, recorded.*,
      sum(recorded.taps_added) over (order by input.place)::bigint as added
    from recorded
    join input on input.player = recorded.player and input.round = recorded.round
  ), won as (
    -- A win takes what was added since the win before it; the first one takes the pool as well.
    select
      placed.id, placed.player, placed.user_id,
      placed.added + pool - coalesce(lag(placed.added + pool) over (order by placed.place), 0) as taps
    from placed
    where placed.wins
  ), extended as (
    update prizes set held_until = now() + hold
    from won
    where prizes.holder = won.player and won.user_id is null
      and prizes.claimed_at is null and prizes.returned_at is null and prizes.held_until > now()
  ), prized as (
    insert into prizes (attempt_id, taps, holder, held_until)
    select won.id, won.taps, won.player, case when won.user_id is null then now() + hold end from won
  ), pooled as (
    update prize_pool
    set taps = taps + (select sum(taps_added) from placed) - (select coalesce(sum(taps), 0) from won)
    where exists (select from placed)
  )
  select
    placed.place, placed.id, placed.username, placed.created_at, placed.reason, won.taps,
    coalesce(held.taps, 0) + coalesce(won.taps, 0),
    case when placed.user_id is null and won.taps is not null then now() + hold else held.until end
  from placed
  left join won on won.id = placed.id
  cross join lateral held_for(placed.player) as held;
end
$$;
