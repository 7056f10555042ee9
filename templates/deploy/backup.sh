#!/bin/sh
# Copies the journals of runs to a folder, as they are at this moment. Usage: backup.sh STORE FOLDER
# A journal only grows: a copy that is taken while a run works may end in a record that was not written whole, which does not count.
set -eu
store=$1
to=$2/runs-$(date -u +%Y%m%dT%H%M%SZ).tar.gz
umask 077
tar -C "$store" --exclude='*.post' -czf "$to.part" .
mv "$to.part" "$to"
echo "$to"
