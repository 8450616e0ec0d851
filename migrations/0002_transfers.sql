-- What ends a hold is one row, appended and never rewritten, however many prizes are held: a claim of 48,000 prizes that
-- marked each of them kept every attempt waiting for 1.2 s. What became of a prize follows from these rows
-- (acts/prize_state.sql).
create table transfers (
  id         bigint generated always as identity primary key,
  -- brought: held for a guest, then for the account that the guest signed in to or made.
  -- claimed: held, then in the account's balance.
  -- returned: held, then in the pool.
  -- forfeited: in the balance of an account that was deleted, then in the pool.
  kind       text not null check (kind in ('brought', 'claimed', 'returned', 'forfeited')),
  player     uuid not null,
  -- The account's player; of a guest who becomes an account the same one. A player who is named here is, or was, an
  -- account's and no guest's.
  to_player  uuid check ((to_player is not null) = (kind = 'brought')),
  -- It refers to none: it keeps the number of an account that is no more.
  user_id    bigint check ((user_id is not null) = (kind in ('claimed', 'forfeited'))),
  taps       bigint not null check (taps >= 0),
  -- The newest attempt of all at the time: what the player won up to here is what was moved, unless moved before.
  through    bigint not null check (through >= 0),
  -- Of what is brought along: the guest's newest round at the time, 0 when there was none.
  round      integer check ((round is not null) = (kind = 'brought')),
  created_at timestamptz not null default now()
);

-- The first transfer after a win; the first after another transfer; whether a player is an account's; whose prizes an
-- account took over, the latest first, without the sign-ins of guests who held nothing, of which there may be very many.
create index transfers_through on transfers (player, through, id);
create index transfers_by_player on transfers (player, id);
create index transfers_brought_to on transfers (to_player) where to_player is not null;
create index transfers_with_prize on transfers (to_player, id) where to_player is not null and taps > 0;

-- The accounts there are; below every attempt, so that it says nothing of any prize.
insert into transfers (kind, player, to_player, taps, through, round)
select 'brought', player, player, 0, 0, 0 from users order by id;

-- What has become of the prizes there are, each by itself: its attempt is the newest that its transfers speak of. Those
-- held for another player than the winner come last, so that no earlier claim of that player seems to cover them.
insert into transfers (kind, player, to_player, user_id, taps, through, round, created_at)
select kind, moved.player, moved.to_player, moved.user_id, prizes.taps, prizes.attempt_id,
  case when kind = 'brought' then attempts.round end,
  coalesce(claimed_at, returned_at, now())
from prizes
join attempts on attempts.id = prizes.attempt_id
cross join lateral (
  values
    (1, 'brought', attempts.player, holder, null, holder <> attempts.player),
    (2, 'claimed', holder, null, claimed_by, claimed_at is not null and claimed_by is not null),
    (2, 'returned', holder, null, null, returned_at is not null)
) as moved (step, kind, player, to_player, user_id, happened)
where happened
order by claimed_at is null and returned_at is null, prizes.attempt_id, step;

-- The winner is the attempt's player.
alter table prizes
  drop constraint prizes_attempt_id_key,
  drop column id,
  drop column holder,
  drop column claimed_at,
  drop column claimed_by,
  drop column returned_at,
  add primary key (attempt_id);

alter table attempts drop column claimed;
