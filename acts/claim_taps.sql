-- Moves every prize held for the account into its balance and marks the winning attempts; returns how much.
create or replace function claim_taps(user_id bigint) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  owner        uuid := (select player from users where users.id = claim_taps.user_id);
  claimed_taps bigint;
begin
  perform from prize_pool for update;
  perform return_holds(array[owner]);

  with ended as (
    delete from holds where holds.player = owner
  ), claimed as (
    update prizes set claimed_at = now(), claimed_by = claim_taps.user_id
    where prizes.holder = owner and claimed_at is null and returned_at is null
    returning taps, attempt_id
  ), marked as (
    update attempts set claimed = true from claimed where attempts.id = claimed.attempt_id
  ), credited as (
    update users set taps_balance = taps_balance + (select sum(taps) from claimed)
    where users.id = claim_taps.user_id and exists (select from claimed)
  )
  select coalesce(sum(taps), 0) into claimed_taps from claimed;
  return claimed_taps;
end
$$;
