-- Boards mask the names that refused-words.txt refuses, so names are no longer hidden one by one.

drop function if exists hide_name(text, text), unhide_name(text);
drop table hidden_names;
