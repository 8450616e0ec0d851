-- Every player who is, or ever was, an account's: of these a guest's cookie from before the sign-up names none. The one
-- place that says so.
create or replace view account_players as
select player from users
union all
select player from past_players;
