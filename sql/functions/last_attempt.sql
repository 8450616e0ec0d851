-- The player's last attempt before a round, with the record up to this attempt. PostgreSQL inlines the function.
create or replace function last_attempt(of_player uuid, before_round integer default 2147483647)
returns table (id bigint, round integer, best numeric, streak integer)
language sql stable
as $$
select last.id, last.round, last.best, last.streak
from attempts as last
where last.player = of_player and last.round < before_round
order by last.round desc limit 1
$$;
