-- Sets a temporary password and ends all sessions of the account. Returns false when no account has this
-- name.
create or replace function reset_password(username_key text, new_hash text, lifetime interval) returns boolean
language plpgsql
as $$
#variable_conflict use_column
declare
  reset_id bigint;
begin
  perform from prize_pool where singleton for update;

  update users set password_hash = new_hash, password_expires_at = now() + lifetime
  where users.username_key = reset_password.username_key
  returning id into reset_id;
  if reset_id is null then return false; end if;

  perform end_sessions(reset_id);
  return true;
end
$$;
