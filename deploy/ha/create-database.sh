#!/bin/sh
# Creates the game's role and database, with the password in DATABASE_URL. Patroni runs this script once, on
# the first leader of a new cluster.
set -eu
password=${DATABASE_URL#*://taps:}
password=${password%%@*}
# Passed as a variable, because every user of the machine can read arguments.
GAME_PASSWORD=$password psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 "$1" <<'SQL'
\getenv password GAME_PASSWORD
create role taps login password :'password';
create database taps owner taps;
SQL
