-- The first nodes of 1.1.0 read here from which release on they may run in a newer game: now none may.
comment on table migrations is null;
