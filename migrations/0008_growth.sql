-- What is asked for while people play costs the same however much was played before.

-- Hidden names are looked for by what a name looks like: with that in the index a rank reads 1,000 entries of one
-- index, and not as many accounts scattered over the table.
create index users_by_rank on users (taps_balance desc, id) include (skeleton);
drop index users_by_balance;

-- The server asks at every start whose looks are not known yet, and goes through all accounts by this order.
create index users_without_skeleton on users (id) where skeleton is null;

-- Returns the holds of these players to the pool, whose row the caller has locked; returns how many TAPS went back.
create function return_holds(players uuid[]) returns bigint
language plpgsql
as $$
declare
  returned_taps bigint;
begin
  with ended as (
    delete from holds where player = any(players)
  ), returned as (
    update prizes set returned_at = now()
    where prizes.holder = any(players) and prizes.claimed_at is null and prizes.returned_at is null
    returning prizes.taps
  ), pooled as (
    update prize_pool set taps = taps + (select sum(taps) from returned) where exists (select from returned)
  )
  select coalesce(sum(taps), 0) into returned_taps from returned;
  return returned_taps;
end
$$;

-- Returns the holds whose time is up to the pool, the oldest first and no more than a thousand at a time: after a night
-- without a server there may be more than fit into the time that a statement has. Returns how many TAPS went back; as
-- long as there are any, somebody asks again. It looks before it locks, and in order: the planner knows only what was
-- held minutes ago, takes all of it for due by now, and would read every hold to find the first that is.
create or replace function return_prizes() returns bigint
language plpgsql
as $$
begin
  perform from holds where held_until <= now() order by held_until limit 1;
  if not found then return 0; end if;
  perform from prize_pool for update;
  return return_holds(array(
    select player from holds where held_until <= now() order by held_until limit 1000
  ));
end
$$;

-- Returns what is due before any of these players' holds grows, moves or ends: nothing whose time is up is revived.
-- The caller has locked the pool row.
create or replace function return_due(players uuid[]) returns void
language plpgsql
as $$
declare
  due uuid[] := array(select player from holds where player = any(players) and held_until <= now());
begin
  if cardinality(due) > 0 then perform return_holds(due); end if;
end
$$;

-- As before, but for the sessions that are over: those of a hundred at a time are forgotten, and not all that there may
-- be after a while in which nobody signed in.
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

  delete from sessions where token_hash = old_token and sessions.user_id <> open_session.user_id;
  delete from sessions where token_hash in (
    select token_hash from sessions where expires_at <= now() order by expires_at limit 100
  );
  perform trim_sessions(open_session.user_id, most_sessions - 1);
  insert into sessions (token_hash, user_id, guest, replaces, expires_at)
  values (new_token, open_session.user_id, open_session.guest, old_token, now() + lifetime);
  return true;
end
$$;
