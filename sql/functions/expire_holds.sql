-- Moves expired holds to the pool, oldest first; returns their TAPS.
create or replace function expire_holds() returns bigint
language plpgsql
as $$
begin
  -- Sorted, so that the planner uses the index.
  perform from holds where ended_at is null and held_until <= now() order by held_until limit 1;
  if not found then return 0; end if;
  perform from prize_pool where singleton for update;
  -- Bounded: 500 holds keep the pool row locked for 5 ms.
  return return_holds(array(
    select player from holds where ended_at is null and held_until <= now() order by held_until limit 500
  ));
end
$$;
