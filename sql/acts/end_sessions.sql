-- Ends all sessions of an account; returns how many were open.
--
-- It moves no TAPS and locks the pool row all the same: it changes several sessions of an account, and one lock before
-- all others means that no two acts wait for each other or overlook each other's rows.
create or replace function end_sessions(user_id bigint) returns bigint
language sql
as $$
  select from prize_pool where singleton for update;
  with over as (
    delete from sessions where sessions.user_id = end_sessions.user_id returning expires_at
  )
  select count(*) from over where expires_at > now();
$$;
