-- The tables of the game, with their constraints and indexes. What moves TAPS or opens a session is in sql/acts/.
-- Times are seconds as numeric, amounts are whole TAPS.

create table users (
  id                  bigint generated always as identity primary key,
  username            text not null,
  -- For comparing names: nameKey in contract/name.ts.
  username_key        text not null unique,
  password_hash       text not null,
  -- A password set by an operator is temporary. Null for all others.
  password_expires_at timestamptz,
  taps_balance        bigint not null default 0 check (taps_balance >= 0),
  player              uuid not null unique,
  -- Nobody can sign in to a banned account, which keeps its TAPS and its place. Null for all others.
  banned_at           timestamptz,
  created_at          timestamptz not null default now()
);

-- The leaderboard and ranks: highest first, ties by age. The key, for finding hidden names, is in the index: a rank reads
-- 1,000 entries of it instead of as many accounts scattered over the table.
create index users_by_rank on users (taps_balance desc, id) include (username_key);

-- The players of deleted accounts. A guest's cookie from before the sign-up must never stand for one of them.
create table past_players (
  player uuid primary key
);

-- Only the hash of a session's token is stored. Use extends expires_at, once a day at most.
create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id    bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_by_user on sessions (user_id, created_at);
create index sessions_by_expiry on sessions (expires_at);

create table attempts (
  id          bigint generated always as identity primary key,
  player      uuid not null,
  round       integer not null check (round >= 1),
  -- Null for a guest's. No foreign key: it keeps the number of a deleted account, which shows that this was no guest's, and
  -- deleting an account has to look through no attempts. An account's attempts are recorded under the pool row's lock,
  -- while the account exists.
  user_id     bigint,
  username    text not null check (char_length(username) between 1 and 200),
  target_time numeric(3, 2) not null check (target_time between 1 and 5),
  actual_time numeric(6, 3) not null check (actual_time > 0 and actual_time <= 600),
  difference  numeric(6, 3) not null check (difference = actual_time - target_time),
  taps_added  integer not null default 1 check (taps_added >= 0),
  reason      text check (reason in ('clock', 'flagged')),
  -- Whether page and server agreed on the time; they do for a flagged player.
  verified    boolean not null generated always as (reason is distinct from 'clock') stored,
  created_at  timestamptz not null default now(),
  -- A round is recorded once, however often it is sent.
  unique (player, round)
);

-- Players too steady to be people: their attempts win nothing. A flag stands from flagged_at until it is cleared; attempts
-- before the clearing are never judged again.
create table flags (
  player     uuid primary key,
  flagged_at timestamptz not null default now(),
  cleared_at timestamptz check (cleared_at >= flagged_at)
);

-- Both counters only grow, and tell each node what has changed: attempts counts recorded attempts, boards every other change
-- that viewers see. A fillfactor below 100 keeps updates of this hot row on its own page (HOT).
create table prize_pool (
  singleton boolean primary key default true check (singleton),
  taps      bigint not null check (taps >= 0),
  attempts  bigint not null default 0 check (attempts >= 0),
  boards    bigint not null default 0 check (boards >= 0)
) with (fillfactor = 10);

insert into prize_pool (taps) values (0);

-- What is held for a player, from the first win until it ends. Further wins add to it. Whatever ends it changes this one
-- row, however many prizes it consists of; then it never changes again.
create table holds (
  -- The id of the attempt that began it.
  id         bigint primary key,
  player     uuid not null,
  taps       bigint not null check (taps > 0),
  -- Null for an account's: it is held until claimed.
  held_until timestamptz,
  ended_at   timestamptz,
  -- claimed: in the account's balance. returned: in the pool. moved: in the open hold of the account that a guest
  -- signed in to. An account's hold never moves.
  ended_as   text check (ended_as in ('claimed', 'returned', 'moved')),
  moved_to   bigint references holds,
  -- No foreign key: it keeps the number of a deleted account, whose TAPS are back in the pool.
  claimed_by bigint,
  check ((ended_as is null) = (ended_at is null)),
  check ((moved_to is null) = (ended_as is distinct from 'moved')),
  check ((claimed_by is null) = (ended_as is distinct from 'claimed'))
);

create unique index holds_open on holds (player) where ended_at is null;
create index holds_due on holds (held_until) where ended_at is null;
create index holds_by_player on holds (player);
create index holds_moved_to on holds (moved_to) where moved_to is not null;
create index holds_claimed_by on holds (claimed_by) where claimed_by is not null;

-- What each win was worth, and the hold that it is part of. Never changes: what became of it is the end of that hold
-- (sql/acts/prize_ends.sql).
create table prizes (
  attempt_id bigint primary key references attempts,
  -- No foreign key: record_attempts writes both in one statement, and checking each prize took a tenth of the time of a
  -- full batch of winners. The ledger command finds a prize without a hold.
  hold_id    bigint not null,
  taps       bigint not null check (taps > 0)
);

create index prizes_by_hold on prizes (hold_id);

-- Names that are not shown: accounts leave the leaderboard, attempts stay without the name. A table, since guests have no
-- row to mark.
create table hidden_names (
  name_key  text primary key,
  username  text not null,
  hidden_at timestamptz not null default now()
);

-- What operators have done. Rows are only added.
create table operator_acts (
  id         bigint generated always as identity primary key,
  -- The command that did it.
  act        text not null,
  -- The account concerned. No foreign key: it keeps the number of a deleted account.
  user_id    bigint,
  -- The name concerned, as it was then.
  name       text,
  detail     text,
  -- The user of the system who ran the command.
  by_user    text not null,
  created_at timestamptz not null default now()
);

-- Identifies the game's SECRET by a key that is derived from it for nothing else, and cannot be reversed. A node with another
-- secret would make accounts and cookies that no other node accepts.
create table game_secret (
  singleton   boolean primary key default true check (singleton),
  fingerprint bytea not null check (octet_length(fingerprint) = 32)
);
