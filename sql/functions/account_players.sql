-- The players of all current and deleted accounts.
create or replace view account_players as
select player from users
union all
select player from past_players;
