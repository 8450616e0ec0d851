-- Everything the game remembers: tables, constraints and indexes. What moves TAPS or opens a session is in acts/.
-- Times are seconds as numeric, amounts are whole TAPS.

create table users (
  id                  bigint generated always as identity primary key,
  username            text not null,
  -- By which names are compared: nameKey in contract/name.ts.
  username_key        text not null unique,
  password_hash       text not null,
  -- A password that an operator has made is for a few days, so that its owner makes a better one.
  password_expires_at timestamptz,
  taps_balance        bigint not null default 0 check (taps_balance >= 0),
  player              uuid not null unique,
  created_at          timestamptz not null default now(),
  -- Since when an account is banned: it can be signed in to by nobody, and keeps its TAPS and its place. Null for all others.
  banned_at           timestamptz
);

-- The leaderboard and ranks: highest first, ties by who came first. With the key in the index, by which hidden names
-- are found, a rank reads 1,000 entries of one index, and not as many accounts scattered over the table.
create index users_by_rank on users (taps_balance desc, id) include (username_key);

-- Only the hash of a session's token is kept. expires_at moves with its use. A new session in the same browser
-- replaces the one before: that one ends when the new one is used for the first time, which proves that the browser
-- has heard of it.
create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  user_id    bigint not null references users on delete cascade,
  replaces   bytea check (octet_length(replaces) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_by_user on sessions (user_id, created_at);
create index sessions_by_expiry on sessions (expires_at);

create table attempts (
  id          bigint generated always as identity primary key,
  player      uuid not null,
  round       integer not null check (round >= 1),
  -- Null for a guest's. It keeps the number of an account that is no more, which says that it was not a guest's, so it
  -- refers to none: nothing has to be looked for in all attempts when an account goes. Attempts of accounts are
  -- recorded under the pool row's lock while the account is there.
  user_id     bigint,
  username    text not null check (char_length(username) between 1 and 200),
  target_time numeric(3, 2) not null check (target_time between 1 and 5),
  actual_time numeric(6, 3) not null check (actual_time > 0 and actual_time <= 600),
  difference  numeric(6, 3) not null check (difference = actual_time - target_time),
  taps_added  integer not null default 1 check (taps_added >= 0),
  reason      text check (reason in ('clock', 'flagged')),
  -- Whether the two clocks agree; those of a flagged player do.
  verified    boolean not null generated always as (reason is distinct from 'clock') stored,
  created_at  timestamptz not null default now(),
  -- Whatever is sent again, a round is recorded once.
  unique (player, round)
);

-- Players too steady to be people: their attempts win nothing. A flag stands from flagged_at until it is cleared;
-- the attempts before the clearing never count again. deviation_ms is what was seen.
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

-- What each win was worth. The winner is the attempt's player; what became of it follows from transfers.
create table prizes (
  attempt_id bigint primary key references attempts,
  taps       bigint not null check (taps > 0)
);

-- What is held for a player, kept as one row: how much and until when. Added up from the prizes for every attempt, a
-- guest's hundredth win cost a hundred times the first: a thousand players who win a quarter of their rounds came from
-- 1,530 rounds a second down to 430 within eight rounds each.
create table holds (
  player     uuid primary key,
  taps       bigint not null check (taps > 0),
  -- Null once the player is an account: it is held until claimed.
  held_until timestamptz
);

create index holds_due on holds (held_until) where held_until is not null;

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

-- Names that are shown to nobody: accounts leave the leaderboard, attempts keep their numbers. Also names of guests,
-- who have no row to mark.
create table hidden_names (
  name_key  text primary key,
  username  text not null,
  hidden_at timestamptz not null default now()
);

-- What the one SECRET of the game is told by: a key derived from it for nothing else, from which nobody gets back to it. A
-- node with another secret would make accounts and cookies that no other node knows.
create table game_secret (
  singleton   boolean primary key default true check (singleton),
  fingerprint bytea not null check (octet_length(fingerprint) = 32)
);

-- What operators have done, appended and never rewritten.
create table operator_acts (
  id         bigint generated always as identity primary key,
  -- The word of the command that did it.
  act        text not null,
  -- To which account; it refers to none: it keeps the number of an account that is no more.
  user_id    bigint,
  -- To which name, as it was then.
  name       text,
  detail     text,
  -- The user of the system who ran the command.
  by_user    text not null,
  created_at timestamptz not null default now()
);
