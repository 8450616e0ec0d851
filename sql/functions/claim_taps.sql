-- Claims an account's hold. Returns no row for a deleted account.
create or replace function claim_taps(user_id bigint) returns table (taps bigint, balance bigint)
language plpgsql
as $$
#variable_conflict use_column
declare
  claimed_taps bigint;
begin
  perform from prize_pool where singleton for update;

  update holds set ended_at = now(), ended_as = 'claimed', claimed_by = claim_taps.user_id
  where player = (select player from users where id = claim_taps.user_id) and ended_at is null
  returning holds.taps into claimed_taps;
  if claimed_taps is not null then
    update users set taps_balance = taps_balance + claimed_taps where id = claim_taps.user_id;
    update prize_pool set boards = boards + 1 where singleton;
  end if;
  return query select coalesce(claimed_taps, 0), taps_balance from users where id = claim_taps.user_id;
end
$$;
