-- A session that is used proves that the answer which brought it was heard of: the session whose place it took ends,
-- with all others that were to take that place. Until then both are good, so that a lost answer logs nobody out.
--
-- It moves no TAPS and locks the pool row all the same: it changes several sessions of an account, and one lock before
-- all others means that no two acts wait for each other or overlook each other's rows.
create or replace function confirm_session(token bytea) returns void
language plpgsql
as $$
#variable_conflict use_column
declare
  used sessions;
begin
  perform from prize_pool where singleton for update;

  select * into used from sessions where token_hash = confirm_session.token;
  delete from sessions
  where user_id = used.user_id and token_hash <> used.token_hash
    and (token_hash = used.replaces or replaces = used.replaces);
  update sessions set replaces = null where token_hash = confirm_session.token;
end
$$;
