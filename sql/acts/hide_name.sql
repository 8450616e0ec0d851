-- Hides a name from feed and leaderboard; false when as many names as may be are hidden already.
create or replace function hide_name(name_key text, username text, max_names integer) returns boolean
language plpgsql
as $$
#variable_conflict use_variable
begin
  perform from prize_pool where singleton for update;

  insert into hidden_names (name_key, username)
  select name_key, username where (select count(*) from hidden_names) < max_names
  on conflict do nothing;
  if not found and not exists (select from hidden_names where hidden_names.name_key = hide_name.name_key) then
    return false;
  end if;
  update prize_pool set boards = boards + 1 where singleton;
  return true;
end
$$;
