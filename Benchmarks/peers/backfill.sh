#!/bin/sh
# curl and the sqlite3 shell as a mirror of a part of the catalog: backfill.sh QUERY_URL DATABASE WINDOWS IMPORT_SQL
# WINDOWS holds a start and an end in each line, so that this peer need not find out how full a window is.
while read -r start end; do
    curl --silent --fail --output "$2.window" \
        "$1?format=geojson&includedeleted=true&orderby=time-asc&starttime=$start&endtime=$end" || exit 1
    sqlite3 -bail -cmd ".parameter set @feed \"'$2.window'\"" "$2" ".read $4" >/dev/null || exit 1
done <"$3"
