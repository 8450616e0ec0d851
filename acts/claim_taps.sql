-- Moves all that is held for the account into its balance; returns how much.
create or replace function claim_taps(user_id bigint) returns bigint
language plpgsql
as $$
declare
  owner        uuid := (select player from users where id = claim_taps.user_id);
  claimed_taps bigint;
begin
  perform from prize_pool where singleton for update;

  delete from holds where player = owner returning taps into claimed_taps;
  if claimed_taps is null then return 0; end if;
  update prize_pool set boards = boards + 1 where singleton;
  update users set taps_balance = taps_balance + claimed_taps where id = claim_taps.user_id;
  insert into transfers (kind, player, user_id, taps, through)
  values ('claimed', owner, claim_taps.user_id, claimed_taps, newest_attempt());
  return claimed_taps;
end
$$;
