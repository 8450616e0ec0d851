-- Deletes a guest, whose browser then becomes a new guest. Returns the TAPS moved to the pool; null when the
-- player is an account's, or has played no round. The caller must already have anonymised the attempts of
-- rounds before from_round.
create or replace function delete_guest(guest uuid, from_round integer, deleted_name text) returns bigint
language plpgsql
as $$
declare
  held_taps bigint;
begin
  perform from prize_pool where singleton for update;

  if exists (select from account_players where player = guest) then return null; end if;
  if not exists (select from attempts where player = guest) then return null; end if;
  insert into past_players (player) values (guest);
  update holds set ended_at = now(), ended_as = 'returned' where player = guest and ended_at is null
  returning taps into held_taps;
  held_taps := coalesce(held_taps, 0);
  update prize_pool set taps = taps + held_taps, boards = boards + 1 where singleton;

  update attempts set username = deleted_name where player = guest and round >= from_round;
  return held_taps;
end
$$;
