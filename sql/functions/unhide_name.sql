-- Shows a hidden name again; false when it was not hidden.
create or replace function unhide_name(name_key text) returns boolean
language plpgsql
as $$
begin
  perform from prize_pool where singleton for update;

  delete from hidden_names where hidden_names.name_key = unhide_name.name_key;
  if not found then return false; end if;
  update prize_pool set boards = boards + 1 where singleton;
  return true;
end
$$;
