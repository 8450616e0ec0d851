-- The TAPS in the pool. Stable: a volatile function takes its own snapshot and could contradict the
-- rest of the statement.
create or replace function get_unclaimed_taps() returns bigint
language sql stable
as $$ select taps from prize_pool where singleton $$;
