# A session with the service: sh session.sh, in the folder of the binary `service`. ADDR is where it listens.
set -eu
addr=${ADDR:-127.0.0.1:8080}
url=http://$addr
start() {
	./service -addr "$addr" -data data 2>service.log &
	service=$!
	until curl -sf "$url/agents/ready" >/dev/null; do sleep 0.1; done
}
until_it_is() {
	until curl -s "$url/tickets/1" | grep "\"$1\""; do sleep 0.1; done
}
trap 'kill -9 "$service"' EXIT

# A customer asks. The agent looks the order up in the service's tables, and wants to pay 19.99 back: that takes a person.
start
curl -sf "$url/tickets" -d '{"id": "1", "question": "A-1042 was charged twice."}' >/dev/null
until_it_is paused

# The service is killed. The next one still waits for the answer, and the refund is made once.
kill -9 "$service"
start
curl -sf "$url/tickets/1/answer" -d '{"question": "pay_back", "value": "yes", "by": "ann"}' >/dev/null
until_it_is done

# Operators look at the run.
curl -sf "$url/agents/runs/1" | grep -o '"status":"[a-z]*"'
