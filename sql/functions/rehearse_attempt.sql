-- Probes whether a win can be recorded, without recording one.
create or replace function rehearse_attempt() returns void
language plpgsql
as $$
begin
  -- Locks a row outside the rolled-back block, so that the commit still has something to flush to disk.
  perform from prize_pool where singleton for update;
  begin
    perform record_batch(
      array[gen_random_uuid()], array[1], array[null]::bigint[], array['rehearsal'], array[1000], array[1000],
      array[extract(epoch from now()) * 1000 - 5000]::bigint[], array[true], 1, '1 minute', 0, 60000
    );
    raise sqlstate 'TAPS0';
  exception when sqlstate 'TAPS0' then
    null;
  end;
end
$$;
