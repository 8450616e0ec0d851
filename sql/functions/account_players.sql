-- The players of all current and deleted accounts. Shows a role only the tables that the role may read.
create or replace view account_players with (security_invoker = true) as
select player from users
union all
select player from past_players;
