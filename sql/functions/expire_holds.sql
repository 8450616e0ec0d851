-- Moves expired holds to the pool; returns the number of TAPS. Shortens holds that end later than `hold` from
-- now: from before the setting was lowered, or from while the database's clock was ahead.
create or replace function expire_holds(hold interval) returns bigint
language plpgsql
as $$
begin
  -- Sorts, so that the planner uses the index.
  perform from holds where ended_at is null and held_until <= now() order by held_until limit 1;
  if found then
    perform from prize_pool where singleton for update;
    -- Moves at most 500 holds, to keep the lock short.
    return return_holds(array(
      select player from holds where ended_at is null and held_until <= now() order by held_until limit 500
    ));
  end if;

  perform from holds where ended_at is null and held_until > now() + hold order by held_until desc limit 1;
  if not found then return 0; end if;
  perform from prize_pool where singleton for update;
  -- Reads the clock under the lock, so that a win committed during the wait is not shortened.
  update holds set held_until = clock_timestamp() + hold
  where id = any(array(
    select id from holds
    where ended_at is null and held_until > (select clock_timestamp() + hold) order by held_until desc limit 500
  ));
  return 0;
end
$$;
