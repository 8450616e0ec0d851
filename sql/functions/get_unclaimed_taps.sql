-- Returns the TAPS in the pool. Stable, so that it shares the snapshot of the calling query.
create or replace function get_unclaimed_taps() returns bigint
language sql stable
as $$ select taps from prize_pool where singleton $$;
