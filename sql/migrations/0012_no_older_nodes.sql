-- Removes what only nodes of 1.1.0 needed: they no longer run beside this release.

-- Locks first, like every function that changes the game.
select from prize_pool for update;

-- Fills the record of a player's newest attempt that has none: a node of 1.1.0 was waiting for the pool's row when
-- 0009 added the columns. The time spares all older attempts, which have no record either, a look for a newer one.
update attempts as newest set (best, streak) = (
  select
    min(abs(difference)) filter (where verified),
    count(*) filter (where verified and round > coalesce(last_miss, 0))
  from attempts
  cross join (
    select max(round) as last_miss from attempts
    where player = newest.player and verified and abs(difference) > 0.1
  ) as misses
  where player = newest.player
)
where streak is null
  and created_at > (select done_at - interval '1 hour' from migrations where file = '0009_player_records.sql')
  and not exists (select from attempts where player = newest.player and round > newest.round);

drop function if exists record_attempts(
  uuid[], integer[], bigint[], text[], integer[], integer[], bigint[], boolean[], integer, interval, float8, integer
);
