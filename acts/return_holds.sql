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
    delete from holds where player = any(due)
  ), returned as (
    update prizes set returned_at = now()
    where prizes.holder = any(due) and prizes.claimed_at is null and prizes.returned_at is null
    returning prizes.taps
  ), pooled as (
    update prize_pool set taps = taps + (select sum(taps) from returned) where exists (select from returned)
  )
  select coalesce(sum(taps), 0) into returned_taps from returned;
  return returned_taps;
end
$$;
