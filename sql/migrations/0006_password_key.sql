-- The key with which passwords are hashed. A game of an earlier release gets the key that its secret gives, at its next start.
alter table game_secret add column password_key bytea check (octet_length(password_key) = 32);
