-- Returns to the pool what was held for these players and is over; returns how many TAPS went back. Every act calls it
-- before it lets a hold grow, move or end, so that nothing whose time is up is revived. The caller has locked the pool
-- row.
create or replace function return_holds(players uuid[]) returns bigint
language plpgsql
as $$
declare
  due           uuid[] := array(select player from holds where player = any(players) and held_until <= now());
  returned_taps bigint;
begin
  if cardinality(due) = 0 then return 0; end if;

  with ended as (
    delete from holds where player = any(due) returning player, taps
  ), noted as (
    insert into transfers (kind, player, taps, through)
    select 'returned', player, taps, (select newest_attempt()) from ended
  ), pooled as (
    update prize_pool set taps = taps + (select sum(taps) from ended), boards = boards + 1 where singleton
  )
  select sum(taps) into returned_taps from ended;
  return returned_taps;
end
$$;
