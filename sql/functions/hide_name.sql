-- Hides a name from feed and leaderboard.
create or replace function hide_name(name_key text, username text) returns void
language sql
as $$
  select from prize_pool where singleton for update;
  insert into hidden_names (name_key, username) values (hide_name.name_key, hide_name.username) on conflict do nothing;
  update prize_pool set boards = boards + 1 where singleton;
$$;
