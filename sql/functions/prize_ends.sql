-- Shows how and when each prize ended, with nulls for a held prize. Each join looks up one row:
-- docs/decisions/0017-plans.md.
create or replace view prize_ends with (security_invoker = true) as
select prizes.attempt_id, prizes.hold_id, prizes.taps, last.ended_at, last.ended_as, users.id as claimed_by
from prizes
join lateral (select moved_to from holds where holds.id = prizes.hold_id limit 1) as first on true
join lateral (
  select ended_at, ended_as, claimed_by from holds where holds.id = coalesce(first.moved_to, prizes.hold_id) limit 1
) as last on true
left join lateral (select id from users where users.id = last.claimed_by limit 1) as users on true;
