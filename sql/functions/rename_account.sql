-- Renames an account. Returns false when the new name is taken, null when no account has the old name.
create or replace function rename_account(old_key text, username text, username_key text) returns boolean
language plpgsql
as $$
#variable_conflict use_column
declare
  renamed_id bigint;
begin
  perform from prize_pool where singleton for update;

  select id into renamed_id from users where users.username_key = old_key;
  if renamed_id is null then return null; end if;
  perform from users where id <> renamed_id and users.username_key = rename_account.username_key;
  if found then return false; end if;

  update users set username = rename_account.username, username_key = rename_account.username_key
  where id = renamed_id;
  update prize_pool set boards = boards + 1 where singleton;
  return true;
end
$$;
