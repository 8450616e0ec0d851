-- What is held for a player, kept as one row: how much and until when. Before, every attempt added up the prizes of
-- its player and every win moved all of them, so a guest's hundredth win cost a hundred times the first: a thousand
-- players who win a quarter of their rounds came from 1,530 rounds a second down to 430 within eight rounds each.
-- `prizes` keeps what each win was worth and what became of it.

-- What was due goes back by the old rule; from then on all prizes of one holder have one time.
select return_prizes();

create table holds (
  player     uuid primary key,
  taps       bigint not null check (taps > 0),
  -- Null once the player is an account: it is held until claimed.
  held_until timestamptz
);

create index holds_due on holds (held_until) where held_until is not null;

insert into holds (player, taps, held_until)
select holder, sum(taps), max(held_until) from prizes
where claimed_at is null and returned_at is null
group by holder;

-- The index prizes_due goes with it.
alter table prizes drop column held_until;

drop function held_for(uuid);

-- Returns the holds whose time is up to the pool; returns how many TAPS went back. Every node asks every second, so
-- it looks before it locks.
create or replace function return_prizes() returns bigint
language plpgsql
as $$
declare
  returned_taps bigint;
begin
  perform from holds where held_until <= now() limit 1;
  if not found then return 0; end if;
  perform from prize_pool for update;

  with due as (
    delete from holds where held_until <= now() returning player
  ), returned as (
    update prizes set returned_at = now()
    from due
    where prizes.holder = due.player and prizes.claimed_at is null and prizes.returned_at is null
    returning prizes.taps
  ), pooled as (
    update prize_pool set taps = taps + (select sum(taps) from returned) where exists (select from returned)
  )
  select coalesce(sum(taps), 0) into returned_taps from returned;
  return returned_taps;
end
$$;

-- Returns what is due before any of these players' holds grows, moves or ends: nothing whose time is up is revived.
-- The caller has locked the pool row.
create function return_due(players uuid[]) returns void
language plpgsql
as $$
begin
  perform from holds where held_until <= now() and player = any(players) limit 1;
  if found then perform return_prizes(); end if;
end
$$;

-- As before, but for what is held, and for the plan. Arrays of a size that is not known beforehand are planned for as if
-- they were short, and two of them are joined row by row: 130 wins in a batch of 500 took 60 ms, of which 45 were such
-- joins. So each row is looked up by itself where an index is, gets its id beforehand, and goes through in one piece.
create or replace function record_attempts(
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
  perform from prize_pool for update;
  perform return_due(players);
  select taps into strict pool from prize_pool;

  return query
  with input as (
    -- Of two rows of one round the first counts.
    select distinct on (input.player, input.round) *
    from unnest(players, rounds, user_ids, usernames, targets_ms, actuals_ms, reasons, wins)
      with ordinality as input (player, round, user_id, username, target_ms, actual_ms, reason, wins, place)
    order by input.player, input.round, input.place
  ), fresh as (
    select
      input.place, input.player, input.round, input.user_id, input.target_ms, input.actual_ms,
      coalesce(users.username, input.username) as username,
      coalesce(input.reason, case when flags.player is not null then 'flagged' end) as reason,
      input.wins and input.reason is null and flags.player is null as wins,
      holds.taps as held_taps, holds.held_until
    from input
    left join users on users.player = input.player
    left join flags on flags.player = input.player and flags.cleared_at is null
    left join holds on holds.player = input.player
    where users.id is not distinct from input.user_id
      -- Nobody else records while the pool row is locked.
      and not exists (
        select from attempts where attempts.player = input.player and attempts.round = input.round
      )
    order by input.place
  ), numbered as materialized (
    select
      fresh.*, nextval('attempts_id_seq') as id,
      pool + taps_each * row_number() over (order by fresh.place) as added
    from fresh
  ), judged as (
    -- A win takes what was added since the win before it; the first one takes the pool as well.
    select
      numbered.*,
      case when wins then added - coalesce(
        max(case when wins then added end)
          over (order by numbered.place rows between unbounded preceding and 1 preceding),
        0
      ) end as won_taps
    from numbered
  ), recorded as (
    insert into attempts
      (id, player, round, user_id, username, target_time, actual_time, difference, taps_added, reason)
    overriding system value
    select
      id, player, round, user_id, username,
      target_ms * 0.001, actual_ms * 0.001, (actual_ms - target_ms) * 0.001, taps_each, reason
    from judged
  ), prized as (
    insert into prizes (attempt_id, taps, holder)
    select id, won_taps, player from judged where won_taps is not null
  ), held as (
    -- A guest's win moves all that is held for that guest to the new, later time.
    insert into holds (player, taps, held_until)
    select player, sum(won_taps), case when user_id is null then now() + hold end
    from judged
    where won_taps is not null
    group by player, user_id
    on conflict (player) do update set taps = holds.taps + excluded.taps, held_until = excluded.held_until
  ), pooled as (
    update prize_pool
    set taps = pool + taps_each * (select count(*) from judged) - (select coalesce(sum(won_taps), 0) from judged)
    where exists (select from judged)
  )
  select
    judged.place, judged.id, judged.username, now(), judged.reason, judged.won_taps,
    coalesce(judged.held_taps, 0) + coalesce(judged.won_taps, 0),
    case when judged.won_taps is null then judged.held_until when judged.user_id is null then now() + hold end
  from judged;
end
$$;

create or replace function claim_taps(user_id bigint) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  owner uuid := (select player from users where users.id = claim_taps.user_id);
  claimed_taps bigint;
begin
  perform from prize_pool for update;
  perform return_due(array[owner]);

  with ended as (
    delete from holds where holds.player = owner
  ), claimed as (
    update prizes set claimed_at = now(), claimed_by = claim_taps.user_id
    where prizes.holder = owner and claimed_at is null and returned_at is null
    returning taps, attempt_id
  ), marked as (
    update attempts set claimed = true from claimed where attempts.id = claimed.attempt_id
  ), credited as (
    update users set taps_balance = taps_balance + (select sum(taps) from claimed)
    where users.id = claim_taps.user_id and exists (select from claimed)
  )
  select coalesce(sum(taps), 0) into claimed_taps from claimed;
  return claimed_taps;
end
$$;

create or replace function open_session(
  user_id       bigint,
  password_hash text,
  new_token     bytea,
  old_token     bytea,
  guest         uuid,
  lifetime      interval,
  most_sessions integer
) returns boolean
language plpgsql
as $$
#variable_conflict use_column
declare
  account uuid;
begin
  perform from prize_pool for update;

  select users.player into account from users
  where users.id = open_session.user_id and users.password_hash = open_session.password_hash;
  if account is null then return false; end if;

  -- What is held for the guest who signed in comes along, for good.
  perform return_due(array[open_session.guest, account]);
  with brought as (
    delete from holds where holds.player in (open_session.guest, account) returning taps
  ), moved as (
    update prizes set holder = account
    where prizes.holder = open_session.guest and open_session.guest <> account
      and claimed_at is null and returned_at is null
  )
  insert into holds (player, taps)
  select account, sum(taps) from brought having count(*) > 0;

  delete from sessions
  where (token_hash = old_token and sessions.user_id <> open_session.user_id) or expires_at <= now();
  perform trim_sessions(open_session.user_id, most_sessions - 1);
  insert into sessions (token_hash, user_id, guest, replaces, expires_at)
  values (new_token, open_session.user_id, open_session.guest, old_token, now() + lifetime);
  return true;
end
$$;

create or replace function delete_account(
  user_id       bigint,
  password_hash text,
  from_round    integer,
  nobody        text
) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  owner         uuid;
  returned_taps bigint;
begin
  perform from prize_pool for update;

  select users.player into owner from users
  where users.id = delete_account.user_id and users.password_hash = delete_account.password_hash;
  if owner is null then return null; end if;

  with ended as (
    delete from holds where holds.player = owner
  ), returned as (
    update prizes set returned_at = now(), claimed_at = null, claimed_by = null
    where (holder = owner and claimed_at is null and returned_at is null)
      or prizes.claimed_by = delete_account.user_id
    returning taps, attempt_id
  ), unmarked as (
    update attempts set claimed = false from returned
    where attempts.id = returned.attempt_id and attempts.claimed
  ), pooled as (
    update prize_pool set taps = taps + (select sum(taps) from returned) where exists (select from returned)
  )
  select coalesce(sum(taps), 0) into returned_taps from returned;

  update attempts set username = nobody where player = owner and round >= from_round;
  delete from flags where player = owner;
  delete from users where users.id = delete_account.user_id;
  return returned_taps;
end
$$;
