-- Each player's best hand of a UTC day: the smallest sum of five verified differences, in ms. Rows stay.
create table hands (
  day        date not null,
  player     uuid not null,
  sum        integer not null check (sum >= 0),
  -- The attempt that ended the hand. No foreign key: its check would lock the attempt's row.
  attempt_id bigint not null,
  primary key (day, player)
);
create index hands_by_sum on hands (day, sum, attempt_id);
alter table hands enable row level security;
