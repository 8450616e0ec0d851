-- What the one SECRET of the game is told by: a key derived from it for nothing else, from which nobody gets back to it. A
-- node with another secret would make accounts and cookies that no other node knows.
create table game_secret (
  singleton   boolean primary key default true check (singleton),
  fingerprint bytea not null check (octet_length(fingerprint) = 32)
);
