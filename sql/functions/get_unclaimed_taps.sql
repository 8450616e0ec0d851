-- The TAPS in the pool. Stable, because a volatile function reads with its own snapshot, which falsifies sums
-- of one statement.
create or replace function get_unclaimed_taps() returns bigint
language sql stable
as $$ select taps from prize_pool where singleton $$;
