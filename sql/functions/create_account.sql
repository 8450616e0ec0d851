-- Creates an account with its first session. Returns the account's ID, or null when the name is taken. Uses
-- new_player if there is no guest, or if the guest already has an account.
create or replace function create_account(
  username      text,
  username_key  text,
  password_hash text,
  guest         uuid,
  new_player    uuid,
  new_token     bytea,
  old_token     bytea,
  lifetime      interval,
  max_sessions  integer
) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  new_id bigint;
  owner  uuid;
begin
  perform from prize_pool where singleton for update;

  if exists (select from account_players where player = guest) then guest := null; end if;
  insert into users (username, username_key, password_hash, player)
  values (
    create_account.username, create_account.username_key, create_account.password_hash,
    coalesce(guest, new_player)
  )
  on conflict do nothing
  returning id, player into new_id, owner;
  if new_id is null then return null; end if;

  update prize_pool set boards = boards + 1 where singleton;
  perform move_hold(owner, owner);
  perform open_session(new_id, create_account.password_hash, new_token, old_token, null, lifetime, max_sessions);
  return new_id;
end
$$;
