set -eu
url="http://${ADDR:-127.0.0.1:8080}"
json="Content-Type: application/json"

serve() { # in the background, until it answers
  ./refund serve --addr "${url#http://}" 2>>serve.log &
  server=$!
  until curl -sf "$url/health" >/dev/null; do sleep 0.1; done
}

# A run is started. It proposes a refund, and the stream of its events ends when it waits for a person.
serve
curl -sf "$url/runs" -H "$json" -d '{"run": "case-1", "input": "A-1042 was charged twice."}' >/dev/null
curl -sf "$url/runs/case-1/events" | grep -o '"event":"[a-z]*"' | uniq

# The server is killed. What it did is in the journal, and what it waits for.
kill -9 "$server"
./refund runs --json | grep -o '"status":"[a-z]*"\|"prompt":"[^"]*"'

# Days later another server runs, and a person answers. The second answer comes too late; the run goes on once.
serve
curl -sf "$url/runs/case-1/answers" -H "$json" -d '{"question": "approve", "value": {"approved": true}, "by": "ada"}' >/dev/null
curl -s "$url/runs/case-1/answers" -H "$json" -d '{"question": "approve", "value": "no", "by": "bob"}'
curl -sf "$url/runs/case-1/events?from=8" >/dev/null # until it ends

# Killed again. The result is in the journal, too: resume does nothing but to print it, and it is paid once.
kill -9 "$server"
./refund resume case-1
cut -d , -f 2,3 ledger.jsonl
