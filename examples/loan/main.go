// Command loan decides about applications for loans: by rules, by a model, and by a person.
package main

import (
	"github.com/agentc-dev/agentc/examples/loan/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

func main() {
	app.Main(agents.New(&bank{path: "letters.jsonl"}))
}
