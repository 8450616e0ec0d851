-- Names that look alike are one name, and an operator can rename and hide.

-- What a name looks like (server/identity/skeleton.ts), so that no two accounts look alike. The server fills it in at its start
-- where it is null: in a game of an earlier release, or after a later migration sets it to null because the table of
-- what looks alike has changed. `twin` is 0; accounts that looked alike before there was this rule keep their names, and
-- all but the first of them have their own id there.
alter table users add column skeleton text;
alter table users add column twin bigint not null default 0;

create unique index users_by_skeleton on users (skeleton, twin);

-- Names that are shown to nobody, with all that look like them: accounts leave the leaderboard, attempts keep their
-- numbers. Also names of guests, who have no row to mark.
create table hidden_names (
  skeleton  text primary key,
  username  text not null,
  hidden_at timestamptz not null default now()
);

drop function create_account(text, text, text, uuid, bytea, bytea, uuid, interval, integer);

-- Creates an account for a player and opens its first session; returns null when the player already belongs to an
-- account, or the name does, or one that looks like it.
create function create_account(
  username      text,
  username_key  text,
  skeleton      text,
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

  -- The index alone would not know of a name whose first owner is gone while a twin of it is still there.
  if exists (select from users where users.skeleton = create_account.skeleton) then return null; end if;

  insert into users (username, username_key, skeleton, password_hash, player)
  values (
    create_account.username, create_account.username_key, create_account.skeleton,
    create_account.password_hash, create_account.player
  )
  on conflict do nothing
  returning id into new_id;
  if new_id is null then return null; end if;

  perform open_session(
    new_id, create_account.password_hash, new_token, old_token, guest, lifetime, most_sessions
  );
  return new_id;
end
$$;

-- Gives the account of one name another one; false when another account has that or looks like it, null when there is
-- no account to rename.
create function rename_account(
  old_key      text,
  username     text,
  username_key text,
  skeleton     text
) returns boolean
language plpgsql
as $$
#variable_conflict use_column
declare
  renamed_id bigint;
begin
  perform from prize_pool for update;

  select id into renamed_id from users where users.username_key = old_key;
  if renamed_id is null then return null; end if;
  perform from users
  where id <> renamed_id
    and (users.username_key = rename_account.username_key or users.skeleton = rename_account.skeleton);
  if found then return false; end if;

  update users set
    username = rename_account.username, username_key = rename_account.username_key,
    skeleton = rename_account.skeleton, twin = 0
  where id = renamed_id;
  return true;
end
$$;
