-- Records a batch of attempts in the given order, and pays out the wins. Skips rounds that were already
-- played, and players whose account was created, deleted or banned since the request. Returns a row without an ID for
-- each attempt that arrived too late. The time of an attempt's Stop is the time of this transaction.
create or replace function record_batch(
  players      uuid[],
  rounds       integer[],
  user_ids     bigint[],
  usernames    text[],
  targets_ms   integer[],
  actuals_ms   integer[],
  started_ms   bigint[],
  wins         boolean[],
  taps_each    integer,
  hold         interval,
  tolerance_ms float8,
  lifetime_ms  integer
) returns table (
  place      bigint,
  id         bigint,
  username   text,
  created_at timestamptz,
  reason     text,
  won_taps   bigint,
  held_taps  bigint,
  held_until timestamptz,
  best       numeric,
  streak     integer
)
language plpgsql
as $$
#variable_conflict use_column
declare
  pool bigint;
  now_ms constant float8 := extract(epoch from now()) * 1000;
begin
  -- Locks first, so that later statements see all earlier commits.
  perform from prize_pool where singleton for update;
  perform return_holds(players);
  select taps into strict pool from prize_pool where singleton;

  return query
  -- "limit 1" and "offset 0" force index lookups: docs/decisions/0017-plans.md.
  with input as materialized (
    select *, now_ms - input.started_ms as elapsed_ms
    from unnest(players, rounds, user_ids, usernames, targets_ms, actuals_ms, started_ms, wins)
      with ordinality as input (player, round, user_id, username, target_ms, actual_ms, started_ms, wins, place)
  ), fresh as (
    -- Keeps each player's first row; only one round can be current.
    select distinct on (input.player)
      input.place, input.player, input.round, input.user_id, input.target_ms, input.actual_ms, input.wins,
      coalesce(users.username, input.username) as username,
      case when input.elapsed_ms < input.actual_ms - tolerance_ms then 'clock' end as reason,
      holds.id as hold_id, holds.taps as held_taps, holds.held_until,
      last.best as last_best, coalesce(last.streak, 0) as last_streak
    from input
    left join lateral (
      select users.id, users.username from users
      where users.player = input.player and users.banned_at is null limit 1
    ) as users on true
    left join lateral (
      select holds.id, holds.taps, holds.held_until from holds
      where holds.player = input.player and holds.ended_at is null limit 1
    ) as holds on true
    -- Finds this round itself if it was played, or else the round before.
    left join lateral last_attempt(input.player, input.round + 1) as last on true
    where input.elapsed_ms <= lifetime_ms
      and users.id is not distinct from input.user_id
      and (
        input.user_id is not null
        or not exists (select from account_players where account_players.player = input.player offset 0)
      )
      -- Misses no attempt, because the lock excludes other writers.
      and last.round is distinct from input.round
    order by input.player, input.place
  ), numbered as materialized (
    -- Assigns IDs in advance, so that one statement inserts everything.
    select
      fresh.*, nextval('attempts_id_seq') as id, fresh.wins and fresh.reason is null as won,
      case when reason is null then least(last_best, abs(actual_ms - target_ms) * 0.001) else last_best end as best,
      case when reason is not null then last_streak when fresh.wins then last_streak + 1 else 0 end as streak,
      pool + taps_each * row_number() over (order by fresh.place) as added
    from fresh
  ), judged as (
    -- Gives the pool to the first win, and to each later win the TAPS added since the previous win.
    select
      numbered.*,
      case when won then added - coalesce(
        max(case when won then added end)
          over (order by numbered.place rows between unbounded preceding and 1 preceding),
        0
      ) end as won_taps
    from numbered
  ), recorded as (
    insert into attempts
      (id, player, round, user_id, username, target_time, actual_time, difference, taps_added, reason, best, streak)
    overriding system value
    select
      id, player, round, user_id, username,
      target_ms * 0.001, actual_ms * 0.001, (actual_ms - target_ms) * 0.001, taps_each, reason, best, streak
    from judged
  ), bested as (
    -- Keeps a player's best hand of the day: this fifth round and the four before it, if all are verified.
    insert into hands (day, player, sum, attempt_id)
    select today.day, judged.player, hand.sum, judged.id
    from (select (now() at time zone 'UTC')::date as day) as today
    cross join judged
    cross join lateral (
      select (sum(abs(difference)) * 1000)::integer + abs(judged.actual_ms - judged.target_ms) as sum from attempts
      where attempts.player = judged.player and attempts.round between judged.round - 4 and judged.round - 1
        and attempts.verified
      having count(*) = 4
    ) as hand
    where judged.round % 5 = 0 and judged.reason is null
      -- Spares the row of a better hand a lock, which would be written to disk.
      and not exists (
        select from hands
        where hands.day = today.day and hands.player = judged.player and hands.sum <= hand.sum offset 0
      )
    on conflict (day, player) do update set sum = excluded.sum, attempt_id = excluded.attempt_id
  ), prized as (
    insert into prizes (attempt_id, hold_id, taps)
    select id, coalesce(hold_id, id), won_taps from judged where won_taps is not null
  ), held as (
    -- Extends the hold of a guest's earlier prizes too.
    insert into holds (id, player, taps, held_until)
    select coalesce(hold_id, id), player, won_taps, case when user_id is null then now() + hold end
    from judged where won_taps is not null
    on conflict (id) do update set taps = holds.taps + excluded.taps, held_until = excluded.held_until
  ), pooled as (
    update prize_pool
    set taps = pool + taps_each * batch.attempts - batch.won_taps, attempts = prize_pool.attempts + batch.attempts
    from (select count(*) as attempts, coalesce(sum(won_taps), 0) as won_taps from judged) as batch
    where singleton and batch.attempts > 0
  )
  select
    judged.place, judged.id, judged.username, now(), judged.reason, judged.won_taps,
    coalesce(judged.held_taps, 0) + coalesce(judged.won_taps, 0),
    case when judged.won_taps is null then judged.held_until when judged.user_id is null then now() + hold end,
    judged.best, judged.streak
  from judged
  union all
  select place, null, null, null, null, null, null, null, null, null from input where elapsed_ms > lifetime_ms;
end
$$;
