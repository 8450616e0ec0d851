-- Ends all sessions of an account; returns how many were open. It locks the pool row for the reason that
-- confirm_session has.
create or replace function end_sessions(user_id bigint) returns bigint
language plpgsql
as $$
declare
  ended bigint;
begin
  perform from prize_pool where singleton for update;

  with over as (
    delete from sessions where sessions.user_id = end_sessions.user_id returning expires_at
  )
  select count(*) into ended from over where expires_at > now();
  return ended;
end
$$;
