-- Bans an account and ends its sessions. Returns how many sessions were open; null when the account is
-- already banned or gone.
create or replace function ban_account(user_id bigint) returns bigint
language plpgsql
as $$
begin
  perform from prize_pool where singleton for update;

  update users set banned_at = now() where id = ban_account.user_id and banned_at is null;
  if not found then return null; end if;
  return end_sessions(ban_account.user_id);
end
$$;
