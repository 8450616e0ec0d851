-- expire_holds now takes the length of a hold.

drop function if exists expire_holds();
