-- Ends all sessions of an account; returns how many were open.
--
-- It moves no TAPS but still locks the pool row first, since it changes several rows: with one lock before all others no
-- two acts deadlock or miss each other's rows.
create or replace function end_sessions(user_id bigint) returns bigint
language sql
as $$
  select from prize_pool where singleton for update;
  with over as (
    delete from sessions where sessions.user_id = end_sessions.user_id returning expires_at
  )
  select count(*) from over where expires_at > now();
$$;
