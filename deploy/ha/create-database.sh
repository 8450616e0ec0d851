#!/bin/sh
# Patroni runs this once, on the first leader of a new cluster: makes the game's login and database.
# Its password is the one in DATABASE_URL.
set -eu
password=${DATABASE_URL#*://taps:}
password=${password%%@*}
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$password" "$1" <<'SQL'
create role taps login password :'password';
create database taps owner taps;
SQL
