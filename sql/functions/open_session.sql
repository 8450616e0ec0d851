-- Opens a session in place of the browser's previous session, and ends the account's oldest sessions beyond
-- max_sessions. Returns false when the account is banned or gone, or has another hash.
create or replace function open_session(
  user_id       bigint,
  password_hash text,
  new_token     bytea,
  old_token     bytea,
  guest         uuid,
  lifetime      interval,
  max_sessions  integer
) returns boolean
language plpgsql
as $$
#variable_conflict use_column
declare
  account uuid;
begin
  perform from prize_pool where singleton for update;

  select users.player into account from users
  where users.id = open_session.user_id and users.password_hash = open_session.password_hash and banned_at is null;
  if account is null then return false; end if;

  -- Skips a guest whose hold already belongs to a new account.
  if guest is not null and not exists (select from account_players where player = guest) then
    perform move_hold(guest, account);
  end if;

  delete from sessions where token_hash = old_token;
  -- Deletes at most 100 expired sessions, to keep the lock short.
  delete from sessions where token_hash = any (array(
    select token_hash from sessions where expires_at <= now() order by expires_at limit 100
  ));
  delete from sessions where token_hash = any (array(
    select token_hash from sessions
    where sessions.user_id = open_session.user_id
    order by created_at desc offset max_sessions - 1
  ));
  insert into sessions (token_hash, user_id, expires_at)
  values (new_token, open_session.user_id, now() + lifetime);
  return true;
end
$$;
