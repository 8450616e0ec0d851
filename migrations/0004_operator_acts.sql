-- Since when an account is banned: it can be signed in to by nobody, and keeps its TAPS and its place. Null for all others.
alter table users add column banned_at timestamptz;

-- What operators have done, appended and never rewritten.
create table operator_acts (
  id         bigint generated always as identity primary key,
  -- The word of the command that did it.
  act        text not null,
  -- To which account; it refers to none: it keeps the number of an account that is no more.
  user_id    bigint,
  -- To which name, as it was then.
  name       text,
  detail     text,
  -- The user of the system who ran the command.
  by_user    text not null,
  created_at timestamptz not null default now()
);
