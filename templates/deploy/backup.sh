#!/bin/sh
# Copies the runs of a store to a folder, as they are at this moment. Usage: backup.sh STORE FOLDER
# STORE is a folder of journals, which becomes an archive, or the file of a SQLite store, which becomes a file that is one, too.
# A journal only grows: a copy that is taken while a run works may end in a record that was not written whole, which does not count.
set -eu
store=$1
case $store in sqlite:*) store=${store#sqlite:} store=${store%%\?*} ;; esac
to=$2/runs-$(date -u +%Y%m%dT%H%M%SZ)
umask 077
if [ -d "$store" ]; then
  to=$to.tar.gz
  trap 'rm -f "$to.part"' EXIT
  tar -C "$store" --exclude='*.post' -czf "$to.part" .
elif [ -f "$store" ]; then
  if ! command -v sqlite3 >/dev/null; then
    echo "backup.sh: $store is the file of a SQLite store, and a copy of it needs the program sqlite3, which is not installed" >&2
    exit 1
  fi
  to=$to.db
  trap 'rm -f "$to.part"' EXIT
  sqlite3 -cmd '.timeout 10000' "$store" "VACUUM INTO '$(printf %s "$to.part" | sed "s/'/''/g")'"
else
  echo "backup.sh: $store is no folder and no file; for a PostgreSQL store use pg_dump" >&2
  exit 1
fi
mv "$to.part" "$to"
echo "$to"
