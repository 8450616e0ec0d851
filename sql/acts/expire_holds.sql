-- Returns the holds whose time is up to the pool, the oldest first and no more than 500 at a time, which take about
-- 5 ms: nobody's attempt waits for more, however many are due after a night without a server. Returns how many TAPS went
-- back; as long as there are any, the caller asks again.
--
-- It looks before it locks, and in order: the planner knows only what was held minutes ago, takes all of it for due by
-- now, and would read every hold to find the first that is.
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
