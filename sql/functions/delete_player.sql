-- Deletes an account with this password hash or, without a hash, a guest, whose browser then becomes a new guest.
-- Returns the TAPS moved to the pool; null when there is no such account, or no guest who has played. The caller
-- must already have anonymised the attempts of rounds before from_round.
create or replace function delete_player(owner uuid, password_hash text, from_round integer, deleted_name text)
returns bigint
language plpgsql
as $$
declare
  returned_taps bigint := 0;
  held_taps     bigint;
begin
  perform from prize_pool where singleton for update;

  if password_hash is not null then
    delete from users where player = owner and users.password_hash = delete_player.password_hash
    returning taps_balance into returned_taps;
    if not found then return null; end if;
  elsif exists (select from account_players where player = owner)
    or not exists (select from attempts where player = owner)
  then
    return null;
  end if;

  insert into past_players (player) values (owner);
  update holds set ended_at = now(), ended_as = 'returned' where player = owner and ended_at is null
  returning taps into held_taps;
  returned_taps := returned_taps + coalesce(held_taps, 0);
  update prize_pool set taps = taps + returned_taps, boards = boards + 1 where singleton;
  update attempts set username = deleted_name where player = owner and round >= from_round;
  return returned_taps;
end
$$;
