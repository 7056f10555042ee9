// Command approval proposes a refund, waits for a person who approves it, for days if need be, and pays once.
package main

import (
	"github.com/agentc-dev/agentc/examples/approval/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

func main() {
	app.Main(agents.New(&ledger{path: "ledger.jsonl"}))
}
