-- What the next win is worth. Stable: a volatile function reads with a snapshot of its own, and one that did so got 596
-- of 20,000 one-statement ledger sums wrong.
create or replace function get_unclaimed_taps() returns bigint
language sql stable
as $$ select taps from prize_pool where singleton $$;
