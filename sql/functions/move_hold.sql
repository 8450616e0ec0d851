-- Moves a guest's hold to an account. If the account has an open hold, merges the guest's hold into that
-- hold. The caller must first lock the pool row and check that the guest has no other account.
create or replace function move_hold(guest uuid, account uuid) returns void
language plpgsql
as $$
declare
  own_id     bigint := (select id from holds where player = account and player <> guest and ended_at is null);
  moved_taps bigint;
begin
  perform return_holds(array[guest]);
  if own_id is null then
    update holds set player = account, held_until = null where player = guest and ended_at is null;
    return;
  end if;

  update holds set ended_at = now(), ended_as = 'moved', moved_to = own_id where player = guest and ended_at is null
  returning taps into moved_taps;
  update holds set taps = taps + moved_taps where id = own_id and moved_taps is not null;
end
$$;
