-- What bans took back of a user's claimed TAPS: the balance is the claimed TAPS less this number.
alter table users add column taken_back bigint not null default 0 check (taken_back >= 0);

-- The leaderboard and ranks, without banned users. Nodes of 1.1.0 still read the old index.
create index users_by_rank_unbanned on users (taps_balance desc, id) where banned_at is null;

-- Replaced by a function that returns the TAPS.
drop function if exists ban_account(bigint);
