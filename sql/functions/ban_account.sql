-- Bans an account, ends its sessions, and moves its balance and open hold to the pool. A repeated call moves what
-- an earlier ban left. Returns the TAPS moved; null when the account is gone, or banned with nothing left.
create or replace function ban_account(user_id bigint) returns bigint
language plpgsql
as $$
#variable_conflict use_column
declare
  held_taps  bigint;
  taken_taps bigint;
begin
  perform from prize_pool where singleton for update;

  update holds set ended_at = now(), ended_as = 'returned'
  where player = (select player from users where id = ban_account.user_id) and ended_at is null
  returning taps into held_taps;
  update users
  set banned_at = coalesce(users.banned_at, now()), taken_back = users.taken_back + before.taps_balance, taps_balance = 0
  from users as before
  where users.id = ban_account.user_id and before.id = ban_account.user_id
    and (before.banned_at is null or before.taps_balance > 0 or held_taps is not null)
  returning before.taps_balance + coalesce(held_taps, 0) into taken_taps;
  if not found then return null; end if;
  delete from sessions where sessions.user_id = ban_account.user_id;
  update prize_pool set taps = taps + taken_taps, boards = boards + 1 where singleton;
  return taken_taps;
end
$$;
