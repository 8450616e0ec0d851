-- Returns the pool's TAPS. Stable, to share the calling query's snapshot.
create or replace function get_unclaimed_taps() returns bigint
language sql stable
as $$ select taps from prize_pool where singleton $$;
