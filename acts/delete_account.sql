-- Deletes an account. What is held for it and what it has claimed returns to the pool, its attempts from this round on
-- lose the name (the earlier ones have lost it before), and its sessions end. Returns how many TAPS went back; null
-- when the account is gone or its password is no longer the one that was checked.
create or replace function delete_account(
  user_id       bigint,
  password_hash text,
  from_round    integer,
  deleted_name  text
) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  owner         uuid;
  returned_taps bigint;
begin
  perform from prize_pool for update;

  select users.player into owner from users
  where users.id = delete_account.user_id and users.password_hash = delete_account.password_hash;
  if owner is null then return null; end if;

  with ended as (
    delete from holds where holds.player = owner
  ), returned as (
    update prizes set returned_at = now(), claimed_at = null, claimed_by = null
    where (holder = owner and claimed_at is null and returned_at is null)
      or prizes.claimed_by = delete_account.user_id
    returning taps, attempt_id
  ), unmarked as (
    update attempts set claimed = false from returned
    where attempts.id = returned.attempt_id and attempts.claimed
  ), pooled as (
    update prize_pool set taps = taps + (select sum(taps) from returned) where exists (select from returned)
  )
  select coalesce(sum(taps), 0) into returned_taps from returned;

  update attempts set username = deleted_name where player = owner and round >= from_round;
  delete from flags where player = owner;
  delete from users where users.id = delete_account.user_id;
  return returned_taps;
end
$$;
