-- The newest attempt of all, 0 when there is none. Attempts get their numbers under the lock of the pool row, so that for
-- its holder every attempt up to here came before, and every other one comes after.
create or replace function newest_attempt() returns bigint
language sql stable
as $$ select coalesce(max(id), 0) from attempts $$;
