-- Moves expired holds to the pool; returns the number of TAPS.
create or replace function expire_holds() returns bigint
language plpgsql
as $$
begin
  -- Sorts, so that the planner uses the index.
  perform from holds where ended_at is null and held_until <= now() order by held_until limit 1;
  if not found then return 0; end if;
  perform from prize_pool where singleton for update;
  -- Moves at most 500 holds, to keep the lock short.
  return return_holds(array(
    select player from holds where ended_at is null and held_until <= now() order by held_until limit 500
  ));
end
$$;
