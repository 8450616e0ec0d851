-- Ends all sessions of an account; returns how many were open. Locks the pool row first, as every function
-- that changes several rows must, to avoid deadlocks.
create or replace function end_sessions(user_id bigint) returns bigint
language sql
as $$
  select from prize_pool where singleton for update;
  with over as (
    delete from sessions where sessions.user_id = end_sessions.user_id returning expires_at
  )
  select count(*) from over where expires_at > now();
$$;
