-- The function compares the times of Start and Stop itself, so its parameters have changed.

drop function if exists record_attempts(
  uuid[], integer[], bigint[], text[], integer[], integer[], text[], boolean[], integer, interval
);
