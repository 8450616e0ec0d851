-- Sessions end when they are not used, a new one takes the place of the one before, and passwords change.

-- The session in whose browser this one was opened; it ends when this one is used for the first time, which proves
-- that the browser has heard of it.
alter table sessions add column replaces bytea check (octet_length(replaces) = 32);

-- A password that an operator has made is for a few days, so that its owner makes a better one.
alter table users add column password_expires_at timestamptz;

-- From here on `expires_at` is when a session ends unless it is used before: thirty days after its last use.
update sessions set expires_at = least(expires_at, now() + interval '30 days');

drop function create_account(text, text, text, uuid, bytea, bytea, uuid, interval, integer);
drop function open_session(bigint, bytea, bytea, uuid, interval, integer);

-- Opens a session for an account; false when its password is no longer the one that was checked, or when the
-- account is gone. The prizes held for the guest who signed in come along, for good; the session that was in the
-- browser before ends, at once if it is another account's, and an account keeps its newest sessions only.
create function open_session(
  user_id       bigint,
  password_hash text,
  new_token     bytea,
  old_token     bytea,
  guest         uuid,
  lifetime      interval,
  most_sessions integer
) returns boolean
language plpgsql
as $$
#variable_conflict use_column
begin
  perform from prize_pool for update;

  perform from users
  where users.id = open_session.user_id and users.password_hash = open_session.password_hash;
  if not found then return false; end if;

  update prizes set holder = users.player, held_until = null
  from users
  where users.id = open_session.user_id and prizes.holder in (open_session.guest, users.player)
    and prizes.claimed_at is null and prizes.returned_at is null and prizes.held_until > now();

  delete from sessions
  where (token_hash = old_token and sessions.user_id <> open_session.user_id) or expires_at <= now();
  perform trim_sessions(open_session.user_id, most_sessions - 1);
  insert into sessions (token_hash, user_id, guest, replaces, expires_at)
  values (new_token, open_session.user_id, open_session.guest, old_token, now() + lifetime);
  return true;
end
$$;

-- Creates an account for a player and opens its first session; returns null when the name or the player
-- already belongs to an account.
create function create_account(
  username      text,
  username_key  text,
  password_hash text,
  player        uuid,
  new_token     bytea,
  old_token     bytea,
  guest         uuid,
  lifetime      interval,
  most_sessions integer
) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  new_id bigint;
begin
  perform from prize_pool for update;

  insert into users (username, username_key, password_hash, player)
  values (create_account.username, create_account.username_key, create_account.password_hash, create_account.player)
  on conflict do nothing
  returning id into new_id;
  if new_id is null then return null; end if;

  perform open_session(
    new_id, create_account.password_hash, new_token, old_token, guest, lifetime, most_sessions
  );
  return new_id;
end
$$;

-- What follows moves no TAPS, and locks the pool row all the same: it changes several sessions of an account, and
-- one lock before all others means that no two of these acts wait for each other or overlook each other's rows.

-- Finishes a sign-in whose answer was lost: opens one more session for the account that the guest signed in to
-- last, unless a session that the guest asked for was used or is older than the window. False when there is
-- nothing to finish.
create or replace function restore_session(
  guest         uuid,
  new_token     bytea,
  finish_window interval,
  most_sessions integer
) returns boolean
language plpgsql
as $$
#variable_conflict use_column
declare
  lost sessions;
begin
  perform from prize_pool for update;

  select * into lost from sessions
  where sessions.guest = restore_session.guest and used_at is null and created_at > now() - finish_window
  order by created_at desc limit 1;
  if lost.token_hash is null then return false; end if;

  perform trim_sessions(lost.user_id, most_sessions - 1);
  insert into sessions (token_hash, user_id, guest, created_at, expires_at)
  values (new_token, lost.user_id, lost.guest, lost.created_at, lost.expires_at);
  return true;
end
$$;

-- A session that is used for the first time proves that its sign-in was heard of. That closes the door which
-- restore_session keeps open for the guest who asked for it, and ends the session whose place it took, with all
-- others that were to take that place.
drop function use_session(bytea);
create function use_session(token bytea) returns void
language plpgsql
as $$
#variable_conflict use_column
begin
  perform from prize_pool for update;

  update sessions set used_at = now()
  where used_at is null and (
    token_hash = use_session.token
    or guest = (select used.guest from sessions as used where used.token_hash = use_session.token)
  );

  delete from sessions using sessions as used
  where used.token_hash = use_session.token and sessions.user_id = used.user_id
    and sessions.token_hash <> used.token_hash
    and (sessions.token_hash = used.replaces or sessions.replaces = used.replaces);
end
$$;

-- Changes a password, ends all sessions of the account but the one it was changed in, and opens the one that takes
-- the place of that. False when the password is no longer the one that was checked.
create function change_password(
  user_id   bigint,
  old_hash  text,
  new_hash  text,
  new_token bytea,
  old_token bytea,
  lifetime  interval
) returns boolean
language plpgsql
as $$
#variable_conflict use_column
begin
  perform from prize_pool for update;

  update users set password_hash = new_hash, password_expires_at = null
  where users.id = change_password.user_id and password_hash = old_hash;
  if not found then return false; end if;

  delete from sessions where sessions.user_id = change_password.user_id and token_hash <> old_token;
  insert into sessions (token_hash, user_id, replaces, expires_at)
  values (new_token, change_password.user_id, old_token, now() + lifetime);
  return true;
end
$$;

-- Gives an account another password, for a while, and ends all its sessions. False when nobody has this name.
create function reset_password(username_key text, new_hash text, lifetime interval) returns boolean
language plpgsql
as $$
#variable_conflict use_column
declare
  reset_id bigint;
begin
  perform from prize_pool for update;

  update users set password_hash = new_hash, password_expires_at = now() + lifetime
  where users.username_key = reset_password.username_key
  returning id into reset_id;
  if reset_id is null then return false; end if;

  delete from sessions where user_id = reset_id;
  return true;
end
$$;
