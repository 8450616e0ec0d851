-- Makes what is held for a guest the account's, for good, and notes whom the account took over, prize or not. The caller
-- has locked the pool row, and knows that the guest is no account's.
create or replace function bring_along(guest uuid, account uuid) returns void
language plpgsql
as $$
declare
  held_taps bigint;
begin
  perform return_holds(array[guest]);
  delete from holds where player = guest returning taps into held_taps;
  if held_taps is not null then
    insert into holds (player, taps) values (account, held_taps)
    on conflict (player) do update set taps = holds.taps + excluded.taps;
  end if;
  insert into transfers (kind, player, to_player, taps, through, round)
  values (
    'brought', guest, account, coalesce(held_taps, 0), newest_attempt(),
    (select coalesce(max(round), 0) from attempts where player = guest)
  );
end
$$;
