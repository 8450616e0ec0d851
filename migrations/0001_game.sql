-- Everything the game remembers. Times are seconds as numeric, amounts are whole TAPS.

create table users (
  id            bigint generated always as identity primary key,
  username      text not null,
  username_key  text not null unique,
  password_hash text not null,
  taps_balance  bigint not null default 0 check (taps_balance >= 0),
  player        uuid not null unique,
  created_at    timestamptz not null default now()
);

-- The leaderboard and ranks: highest first, ties by who came first.
create index users_by_balance on users (taps_balance desc, id);

-- Only the hash of a session's token is kept. `guest` is the player who signed in, so that a sign-in whose
-- answer was lost can be finished by the cookie that asked for it; `used_at` closes that door.
create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id    bigint not null references users on delete cascade,
  guest      uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz
);

create index sessions_by_user on sessions (user_id, created_at);
create index sessions_unused on sessions (guest) where used_at is null and guest is not null;
create index sessions_by_expiry on sessions (expires_at);

create table attempts (
  id          bigint generated always as identity primary key,
  player      uuid not null,
  round       integer not null check (round >= 1),
  user_id     bigint references users on delete set null,
  username    text not null check (char_length(username) between 1 and 200),
  target_time numeric(3, 2) not null check (target_time between 1 and 5),
  actual_time numeric(6, 3) not null check (actual_time > 0 and actual_time <= 600),
  difference  numeric(6, 3) not null check (difference = actual_time - target_time),
  taps_added  integer not null default 1 check (taps_added >= 0),
  claimed     boolean not null default false,
  reason      text check (reason in ('clock', 'flagged')),
  -- Whether the two clocks agree; those of a flagged player do.
  verified    boolean not null generated always as (reason is distinct from 'clock') stored,
  created_at  timestamptz not null default now(),
  -- Whatever is sent again, a round is recorded once.
  unique (player, round)
);

-- Players too steady to be people: their attempts win nothing. A flag stands from flagged_at until it is cleared;
-- the attempts before the clearing never count again. `deviation_ms` is what was seen.
create table flags (
  player       uuid not null,
  deviation_ms numeric(6, 3) not null check (deviation_ms >= 0),
  flagged_at   timestamptz not null default now(),
  cleared_at   timestamptz check (cleared_at >= flagged_at),
  primary key (player, flagged_at)
);

create unique index flags_standing on flags (player) where cleared_at is null;

-- A fillfactor below 100 keeps updates of this one hot row on its own page (HOT).
create table prize_pool (
  singleton boolean primary key default true check (singleton),
  taps      bigint not null check (taps >= 0)
) with (fillfactor = 10);

insert into prize_pool (taps) values (0);

-- A prize is held, then claimed or returned, never both. `holder` is the player it is held for;
-- `held_until` is null once that player is an account.
create table prizes (
  id          bigint generated always as identity primary key,
  attempt_id  bigint not null unique references attempts,
  taps        bigint not null check (taps > 0),
  holder      uuid not null,
  held_until  timestamptz,
  claimed_at  timestamptz,
  claimed_by  bigint references users on delete set null,
  returned_at timestamptz,
  check (claimed_at is null or returned_at is null)
);

create index prizes_held on prizes (holder) where claimed_at is null and returned_at is null;
create index prizes_due on prizes (held_until) where claimed_at is null and returned_at is null;
create index prizes_claimed_by on prizes (claimed_by) where claimed_by is not null;

-- What the next win is worth. Declared stable: a volatile function reads with a snapshot of its own, and one
-- that did so got 596 of 20,000 one-statement ledger sums wrong.
create function get_unclaimed_taps() returns bigint
language sql stable
as $$ select taps from prize_pool $$;
