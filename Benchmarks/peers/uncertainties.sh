#!/bin/sh
# curl, and the sqlite3 shell if DATABASE is given, as fetchers of uncertainties:
# uncertainties.sh QUERY_URL NAME WINDOWS [DATABASE] saves NAME-1.csv, NAME-2.csv and so on, without history or update.
# WINDOWS holds a start and an end in each line, so that this peer need not find out how full a window is.
number=0
skip=
while read -r start end; do
    number=$((number + 1))
    curl --silent --fail --output "$2-$number.csv" \
        "$1?format=csv&orderby=time-asc&starttime=$start&endtime=$end" || exit 1
    if [ -n "$4" ]; then
        sqlite3 -bail "$4" ".mode csv" ".import $skip $2-$number.csv quakes" || exit 1
    fi
    skip='--skip 1'
done <"$3"
