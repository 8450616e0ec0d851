-- Bans an account and ends its sessions. Returns false when the account is already banned or gone.
create or replace function ban_account(user_id bigint) returns boolean
language plpgsql
as $$
begin
  perform from prize_pool where singleton for update;

  update users set banned_at = now() where id = ban_account.user_id and banned_at is null;
  if not found then return false; end if;
  delete from sessions where sessions.user_id = ban_account.user_id;
  return true;
end
$$;
