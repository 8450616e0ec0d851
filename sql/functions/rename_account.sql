-- Renames an account. Returns false when the new name is taken or the account is gone.
create or replace function rename_account(user_id bigint, username text, username_key text) returns boolean
language plpgsql
as $$
#variable_conflict use_column
begin
  perform from prize_pool where singleton for update;

  update users set username = rename_account.username, username_key = rename_account.username_key
  where id = rename_account.user_id;
  if found then update prize_pool set boards = boards + 1 where singleton; end if;
  return found;
exception when unique_violation then
  return false;
end
$$;
