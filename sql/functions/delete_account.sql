-- Deletes an account. Returns the TAPS moved to the pool; null when the account is gone or its password has
-- changed. The caller must already have anonymised the attempts of rounds before from_round.
create or replace function delete_account(
  user_id       bigint,
  password_hash text,
  from_round    integer,
  deleted_name  text
) returns bigint
language plpgsql
as $$
declare
  owner         uuid;
  balance       bigint;
  held_taps     bigint;
  returned_taps bigint;
begin
  perform from prize_pool where singleton for update;

  delete from users where users.id = delete_account.user_id and users.password_hash = delete_account.password_hash
  returning player, taps_balance into owner, balance;
  if owner is null then return null; end if;

  insert into past_players (player) values (owner);
  update holds set ended_at = now(), ended_as = 'returned' where player = owner and ended_at is null
  returning taps into held_taps;
  returned_taps := balance + coalesce(held_taps, 0);
  update prize_pool set taps = taps + returned_taps, boards = boards + 1 where singleton;

  update attempts set username = deleted_name where player = owner and round >= from_round;
  return returned_taps;
end
$$;
