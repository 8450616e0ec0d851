-- Changes a password, ends all sessions of the account but the one it was changed in, and opens the one that takes the
-- place of that. False when the password is no longer the one that was checked, or when the account is banned.
create or replace function change_password(
  user_id   bigint,
  old_hash  text,
  new_hash  text,
  new_token bytea,
  old_token bytea,
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

  delete from sessions where sessions.user_id = change_password.user_id and token_hash <> old_token;
  insert into sessions (token_hash, user_id, replaces, expires_at)
  values (new_token, change_password.user_id, old_token, now() + lifetime);
  return true;
end
$$;
