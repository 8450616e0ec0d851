-- Changes a password and replaces all sessions with a new one. An operator gives neither old_hash nor new_token;
-- the password then expires, and no session opens. Returns false when the account is gone or, for a user, is
-- banned or no longer has old_hash.
create or replace function change_password(
  user_id   bigint,
  old_hash  text,
  new_hash  text,
  new_token bytea,
  lifetime  interval
) returns boolean
language plpgsql
as $$
#variable_conflict use_column
begin
  perform from prize_pool where singleton for update;

  update users set
    password_hash = new_hash, password_expires_at = case when new_token is null then now() + lifetime end
  where users.id = change_password.user_id
    and (old_hash is null or password_hash = old_hash and banned_at is null);
  if not found then return false; end if;
  delete from sessions where sessions.user_id = change_password.user_id;
  insert into sessions (token_hash, user_id, expires_at)
  select new_token, change_password.user_id, now() + lifetime where new_token is not null;
  return true;
end
$$;
