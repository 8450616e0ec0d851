-- Records a batch for nodes of 1.1.0, which keep this statement prepared and so need its parameters and its result.
create or replace function record_attempts(
  players      uuid[],
  rounds       integer[],
  user_ids     bigint[],
  usernames    text[],
  targets_ms   integer[],
  actuals_ms   integer[],
  started_ms   bigint[],
  wins         boolean[],
  taps_each    integer,
  hold         interval,
  tolerance_ms float8,
  lifetime_ms  integer
) returns table (
  place      bigint,
  id         bigint,
  username   text,
  created_at timestamptz,
  reason     text,
  won_taps   bigint,
  held_taps  bigint,
  held_until timestamptz
)
language plpgsql
as $$
#variable_conflict use_column
begin
  return query
  select place, id, username, created_at, reason, won_taps, held_taps, held_until
  from record_batch(
    players, rounds, user_ids, usernames, targets_ms, actuals_ms, started_ms, wins, taps_each, hold, tolerance_ms,
    lifetime_ms
  );
end
$$;
