-- Changes a password and replaces all sessions with a new one. Returns false when the account is banned or
-- gone, or when its hash is no longer old_hash.
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

  update users set password_hash = new_hash, password_expires_at = null
  where users.id = change_password.user_id and password_hash = old_hash and banned_at is null;
  if not found then return false; end if;

  perform end_sessions(change_password.user_id);
  insert into sessions (token_hash, user_id, expires_at)
  values (new_token, change_password.user_id, now() + lifetime);
  return true;
end
$$;
