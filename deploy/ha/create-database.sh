#!/bin/sh
# Patroni runs this once, on the first leader of a new cluster: makes the game's login and database.
# Its password is the one in DATABASE_URL.
set -eu
password=${DATABASE_URL#*://taps:}
password=${password%%@*}
# Not as an argument, which everybody on the machine could read.
GAME_PASSWORD=$password psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 "$1" <<'SQL'
\getenv password GAME_PASSWORD
create role taps login password :'password';
create database taps owner taps;
SQL
