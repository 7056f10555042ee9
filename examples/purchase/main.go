// Command purchase reserves, charges and ships an order. If a step fails, it undoes what was done, the newest first.
package main

import (
	"github.com/agentc-dev/agentc/examples/purchase/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

func main() {
	app.Main(agents.New(&shop{path: "shop.jsonl"}))
}
