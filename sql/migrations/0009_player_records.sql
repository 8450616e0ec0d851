-- Each attempt carries the record of its player up to this attempt: the smallest difference of verified attempts,
-- and the wins in a row. Attempts of earlier releases have neither, except the newest of each player.
create temporary table seen on commit drop as select 0::bigint as id;
create temporary view computed_records as
select
  player, max(newest) as newest, max(id) as id, max(misses) as misses,
  min(abs(difference)) filter (where verified) as best,
  count(*) filter (where misses = 0 and verified) as streak
from (
  select
    *, first_value(id) over newest_first as newest,
    count(*) filter (where verified and abs(difference) > 0.1) over newest_first as misses
  from attempts
  where id > (select id from seen)
  window newest_first as (partition by player order by round desc)
) as played
group by player;

-- Reads the whole history before any lock, so that nodes of the release before keep recording.
set local work_mem = '64MB';
create temporary table player_records on commit drop as select * from computed_records;
create unique index on player_records (player);
analyze player_records;
update seen set id = (select coalesce(max(id), 0) from player_records);

-- Locks the pool's row, then all that this upgrade changes. Nodes lock tables in other orders: short tries give way
-- to them, and end after 2 s when a backup reads.
do $$
declare
  relations constant text := (
    select string_agg(relation::text, ', ')
    from unnest(array['users', 'attempts', 'prize_ends', 'account_players']) as name
    cross join to_regclass(name) as relation
  );
begin
  set local lock_timeout = '100ms';
  for tries in reverse 20..1 loop
    begin
      perform from prize_pool where singleton for update;
      execute format('lock table %s in access exclusive mode', relations);
      return;
    exception when lock_not_available then
      if tries = 1 then raise; end if;
    end;
  end loop;
end
$$;

-- Not valid, because checking earlier attempts would hold the locks longer, and these have nulls.
alter table attempts
  add column best   numeric(6, 3),
  add column streak integer,
  add constraint attempts_best_check check (best >= 0) not valid,
  add constraint attempts_streak_check check (streak >= 0) not valid;

-- Continues the records with the attempts since that reading.
set local enable_seqscan = off;
insert into player_records select * from computed_records
on conflict (player) do update set
  newest = excluded.newest, best = least(player_records.best, excluded.best),
  streak = excluded.streak + case when excluded.misses = 0 then player_records.streak else 0 end;
set local enable_seqscan = on;

update attempts set best = player_records.best, streak = player_records.streak
from player_records
where attempts.id = player_records.newest;

drop view computed_records;
