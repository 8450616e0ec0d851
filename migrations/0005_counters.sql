-- What changed, for nodes that look at the pool: both counters only grow. attempts counts those recorded; boards counts
-- whatever else changes what viewers see.
alter table prize_pool
  add column attempts bigint not null default 0 check (attempts >= 0),
  add column boards   bigint not null default 0 check (boards >= 0);
