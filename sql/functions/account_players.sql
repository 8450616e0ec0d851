-- Every player who belongs to an account, or ever did. A guest's cookie from before the sign-up stands for
-- none of them.
create or replace view account_players as
select player from users
union all
select player from past_players;
