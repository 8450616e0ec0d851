-- The acts that move TAPS. Each locks the pool row first and only then looks: a plpgsql function takes a new
-- snapshot for every statement, so what it reads after the lock is what the previous holder committed. One
-- lock before all others also means that no two acts can wait for each other.

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

-- What is held for a player: how much, and until when (null for an account).
create function held_for(player uuid, out taps bigint, out until timestamptz)
language sql stable
as $$
  select sum(prizes.taps)::bigint, max(prizes.held_until)
  from prizes
  where prizes.holder = held_for.player
    and prizes.claimed_at is null and prizes.returned_at is null
    and (prizes.held_until is null or prizes.held_until > now())
$$;

-- Moves every prize held for the account into its balance and marks the winning attempts; returns how much.
create function claim_taps(user_id bigint) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  claimed_taps bigint;
begin
  perform from prize_pool for update;

  with claimed as (
    update prizes set claimed_at = now(), claimed_by = users.id, held_until = null
    from users
    where users.id = claim_taps.user_id and prizes.holder = users.player
      and prizes.claimed_at is null and prizes.returned_at is null
      and (prizes.held_until is null or prizes.held_until > now())
    returning prizes.taps, prizes.attempt_id
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

-- Returns the prizes whose time is up to the pool; returns how many TAPS went back. Every node asks every
-- second, so it looks before it locks. A prize whose holder became an account meanwhile is left alone.
create function return_prizes() returns bigint
language plpgsql
as $$
declare
  returned_taps bigint;
begin
  perform from prizes where claimed_at is null and returned_at is null and held_until <= now() limit 1;
  if not found then return 0; end if;
  perform from prize_pool for update;

  with returned as (
    update prizes set returned_at = now()
    where claimed_at is null and returned_at is null and held_until <= now()
    returning taps
  ), pooled as (
    update prize_pool set taps = taps + (select sum(taps) from returned) where exists (select from returned)
  )
  select coalesce(sum(taps), 0) into returned_taps from returned;
  return returned_taps;
end
$$;

-- Opens a session for an account. The prizes held for the guest who signed in come along, for good; the session
-- that was in the browser before ends if it is another account's, and an account keeps its newest sessions only.
create function open_session(
  user_id       bigint,
  new_token     bytea,
  old_token     bytea,
  guest         uuid,
  lifetime      interval,
  most_sessions integer
) returns void
language plpgsql
as $$
#variable_conflict use_column
begin
  perform from prize_pool for update;

  update prizes set holder = users.player, held_until = null
  from users
  where users.id = open_session.user_id and prizes.holder in (open_session.guest, users.player)
    and prizes.claimed_at is null and prizes.returned_at is null and prizes.held_until > now();

  delete from sessions
  where (token_hash = old_token and sessions.user_id <> open_session.user_id) or expires_at <= now();
  perform trim_sessions(open_session.user_id, most_sessions - 1);
  insert into sessions (token_hash, user_id, guest, expires_at)
  values (new_token, open_session.user_id, open_session.guest, now() + lifetime);
end
$$;

-- Creates an account for a player and opens its first session; returns null when the name or the player
-- already belongs to an account.
create function create_account(
  username      text,
  username_key  text,
  password_hash text,
  player        uuid,
  new_token     bytea,
  old_token     bytea,
  guest         uuid,
  lifetime      interval,
  most_sessions integer
) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  new_id bigint;
begin
  perform from prize_pool for update;

  insert into users (username, username_key, password_hash, player)
  values (create_account.username, create_account.username_key, create_account.password_hash, create_account.player)
  on conflict do nothing
  returning id into new_id;
  if new_id is null then return null; end if;

  perform open_session(new_id, new_token, old_token, guest, lifetime, most_sessions);
  return new_id;
end
$$;

-- The rest moves no TAPS.

-- Ends all sessions of an account but its newest.
create function trim_sessions(user_id bigint, most_sessions integer) returns void
language sql
as $$
  delete from sessions where token_hash in (
    select token_hash from sessions
    where sessions.user_id = trim_sessions.user_id
    order by created_at desc offset most_sessions
  )
$$;

-- Finishes a sign-in whose answer was lost: opens one more session for the account that the guest signed in to
-- last, unless a session that the guest asked for was used or is older than the window. False when there is
-- nothing to finish.
create function restore_session(
  guest         uuid,
  new_token     bytea,
  finish_window interval,
  most_sessions integer
) returns boolean
language plpgsql
as $$
#variable_conflict use_column
declare
  lost sessions;
begin
  select * into lost from sessions
  where sessions.guest = restore_session.guest and used_at is null and created_at > now() - finish_window
  order by created_at desc limit 1;
  if lost.token_hash is null then return false; end if;

  perform trim_sessions(lost.user_id, most_sessions - 1);
  insert into sessions (token_hash, user_id, guest, created_at, expires_at)
  values (new_token, lost.user_id, lost.guest, lost.created_at, lost.expires_at);
  return true;
end
$$;

-- A session that is used for the first time proves that its sign-in was heard of, which closes the door that
-- restore_session keeps open for the guest who asked for it. In order, so that no two wait for each other.
create function use_session(token bytea) returns void
language sql
as $$
  update sessions set used_at = now() where token_hash in (
    select token_hash from sessions
    where used_at is null and (
      token_hash = use_session.token
      or guest = (select used.guest from sessions as used where used.token_hash = use_session.token)
    )
    order by token_hash for update
  )
$$;
