-- The player's last attempt before a round, with the record up to this attempt. PostgreSQL inlines the function.
-- An attempt without a record (null streak) continues the one before it: a node of 1.1.0 was still waiting for the
-- pool row when the upgrade added the columns.
create or replace function last_attempt(of_player uuid, before_round integer default 2147483647)
returns table (id bigint, round integer, best numeric, streak integer)
language sql stable
as $$
select
  last.id, last.round,
  case when last.streak is not null then last.best else least(
    (
      select best from attempts where player = of_player and attempts.round < last.round
      order by attempts.round desc limit 1
    ),
    case when last.verified then abs(last.difference) end
  ) end,
  case
    when last.streak is not null then last.streak
    when last.verified and abs(last.difference) > 0.1 then 0
    else last.verified::integer + coalesce(
      (
        select streak from attempts where player = of_player and attempts.round < last.round
        order by attempts.round desc limit 1
      ),
      0
    )
  end
from attempts as last
where last.player = of_player and last.round < before_round
order by last.round desc limit 1
$$;
