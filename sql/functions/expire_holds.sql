-- Returns the oldest expired holds to the pool, at most 500, so that no attempt waits longer than 5 ms.
-- Returns how many TAPS went back.
--
-- Looks in order before it locks: the planner expects every hold to be due, and would read all of them.
create or replace function expire_holds() returns bigint
language plpgsql
as $$
begin
  perform from holds where ended_at is null and held_until <= now() order by held_until limit 1;
  if not found then return 0; end if;
  perform from prize_pool where singleton for update;
  return return_holds(array(
    select player from holds where ended_at is null and held_until <= now() order by held_until limit 500
  ));
end
$$;
