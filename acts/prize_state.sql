-- What has become of a prize, given by its attempt and the winner: held, claimed or returned; for whom it is or was
-- held; and the account that has claimed it, as long as there is one. A prize goes the way of the first transfer of its
-- player after the win, and one that was brought along that of the account's first transfer after this.
create or replace function prize_state(attempt_id bigint, winner uuid)
returns table (state text, holder uuid, account bigint)
language sql stable rows 1
as $$
  select
    case
      when ending.kind is null then 'held'
      when users.id is not null then 'claimed'
      else 'returned'
    end,
    coalesce(first.to_player, prize_state.winner),
    users.id
  from (values (1)) as prize
  left join lateral (
    select * from transfers
    where player = prize_state.winner and through >= prize_state.attempt_id
    order by through, id limit 1
  ) as first on true
  left join lateral (
    select * from transfers
    where player = first.to_player and transfers.id > first.id
    order by id limit 1
  ) as next on true
  cross join lateral (
    select
      case when first.to_player is null then first.kind else next.kind end as kind,
      case when first.to_player is null then first.user_id else next.user_id end as user_id
  ) as ending
  left join lateral (select id from users where users.id = ending.user_id limit 1) as users on true
$$;
