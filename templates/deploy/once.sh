#!/bin/sh
# Does one run, for cron: never two at once, and says by mail or log only what somebody has to know.
#   30 2 * * *  /usr/local/lib/support/once.sh "Sum up the complaints of the day."
set -u
app=${APP:-/usr/local/bin/support}
store=${AGENTC_STORE:-/var/lib/support/runs}

mkdir -p "$store"
exec 9>"$store.lock"
flock -n 9 || { echo "the run of before is still at work" >&2; exit 75; }

# A run that a crash interrupted is resumed before a new one begins.
"$app" runs --store "$store" --status interrupted --json | sed -n 's/^{"run":"\([^"]*\)".*/\1/p' | while read -r run; do
	"$app" resume "$run" --store "$store" </dev/null >/dev/null || echo "$run does not go on: $app runs show $run --store $store" >&2
done

result=$("$app" run --store "$store" "$1" </dev/null 2>"$store.log")
code=$?
case $code in
0) printf '%s\n' "$result" ;;
4) tail -n 4 "$store.log" ;; # a question, and the command line that answers it
*) tail -n 20 "$store.log" >&2; exit $code ;;
esac
