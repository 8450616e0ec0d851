-- Moves the players' expired holds to the pool and returns the number of TAPS. The caller must lock the pool
-- row first, and must not have changed any hold in the transaction.
create or replace function return_holds(players uuid[]) returns bigint
language plpgsql
as $$
declare
  due           bigint[] := array(
    select id from holds where player = any(players) and ended_at is null and held_until <= now()
  );
  returned_taps bigint;
begin
  if cardinality(due) = 0 then return 0; end if;

  with ended as (
    update holds set ended_at = now(), ended_as = 'returned' where id = any(due) returning taps
  )
  select sum(taps) into returned_taps from ended;
  update prize_pool set taps = taps + returned_taps, boards = boards + 1 where singleton;
  return returned_taps;
end
$$;
