-- Text that is a key of an index gets the collation "C", because the order of other collations changes with the
-- system: an index then no longer finds its rows. Also keeps other roles out of all tables, because some hosts grant
-- new tables to them: row level security without a policy, which the owner of a table does not have to pass.

-- Locks the pool's table first, because every function begins with its row, then all others. A start has no views yet
-- when it creates the game. Nodes that read lock tables in other orders: short tries give way to them, and end after 2 s
-- when a backup reads.
do $$
declare
  relations constant text := (
    select string_agg(relation::text, ', ' order by place)
    from unnest(array[
      'prize_pool', 'migrations', 'users', 'past_players', 'sessions', 'attempts', 'holds', 'prizes', 'operator_acts',
      'game_secret', 'prize_ends', 'account_players'
    ]) with ordinality as name (name, place)
    cross join to_regclass(name) as relation
  );
begin
  set local lock_timeout = '100ms';
  for tries in reverse 20..1 loop
    begin
      execute format('lock table %s in access exclusive mode', relations);
      return;
    exception when lock_not_available then
      if tries = 1 then raise; end if;
    end;
  end loop;
end
$$;

-- Only nodes of 1.1.0 read this index, which has the key too.
drop index if exists users_by_rank;

-- Finds users with the same key, whom a damaged index let sign up. The collation keeps PostgreSQL from reading them in
-- the order of that index. The start shows the message.
do $$
declare
  twins   text;
  renames text;
begin
  select
    string_agg(format('%s (%s)', names[1], array_to_string(ids, ', ')), ', ' order by ids[1]),
    string_agg(array_to_string(commands[2:], '; '), '; ' order by ids[1])
  into twins, renames
  from (
    select
      array_agg(to_json(username)::text order by id) as names, array_agg('id:' || id order by id) as ids,
      array_agg(format('./taps users rename id:%s <new-name>', id) order by id) as commands
    from users
    group by username_key collate "C"
    having count(*) > 1
  ) as same;
  if twins is null then return; end if;
  raise exception using
    errcode = 'TAPS1',
    message = format('These users have the same name: %s. Nothing is upgraded until they differ: %s', twins, renames);
end
$$;

alter table users alter column username_key type text collate "C";
alter table migrations alter column file type text collate "C";

alter table prize_pool enable row level security;
alter table migrations enable row level security;
alter table users enable row level security;
alter table past_players enable row level security;
alter table sessions enable row level security;
alter table attempts enable row level security;
alter table holds enable row level security;
alter table prizes enable row level security;
alter table operator_acts enable row level security;
alter table game_secret enable row level security;
