-- Whether a player is, or ever was, an account's: the cookie of a guest from before a sign-up names nobody's holds.
create or replace function is_account(player uuid) returns boolean
language sql stable
as $$ select exists (select from transfers where to_player = is_account.player) $$;
