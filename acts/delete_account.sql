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
declare
  owner     uuid;
  held_taps bigint;
  balance   bigint;
begin
  perform from prize_pool where singleton for update;

  delete from users where users.id = delete_account.user_id and users.password_hash = delete_account.password_hash
  returning player, taps_balance into owner, balance;
  if owner is null then return null; end if;

  delete from holds where player = owner returning taps into held_taps;
  held_taps := coalesce(held_taps, 0);
  insert into transfers (kind, player, user_id, taps, through)
  values
    ('returned', owner, null, held_taps, newest_attempt()),
    ('forfeited', owner, delete_account.user_id, balance, newest_attempt());
  update prize_pool set taps = taps + held_taps + balance, boards = boards + 1 where singleton;

  update attempts set username = deleted_name where player = owner and round >= from_round;
  delete from flags where player = owner;
  return held_taps + balance;
end
$$;
