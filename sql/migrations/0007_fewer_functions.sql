-- Fewer functions now delete players and end sessions, and some have other parameters or results.
drop function if exists
  ban_account(bigint), delete_account(bigint, text, integer, text), delete_guest(uuid, integer, text),
  end_sessions(bigint), rename_account(text, text, text), reset_password(text, text, interval);
