-- Returns expired holds to the pool, the oldest first and at most 500 at a time. That takes about 5 ms, so no attempt
-- waits longer, however many are due after a night without a server. Returns how many TAPS went back; the caller repeats
-- it until there are none.
--
-- It looks in order, before it locks. The planner's statistics are minutes old: it expects every hold to be due by now,
-- and without the order it would read all of them to find the first that is.
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
