// Command delivery serves a compiled machine to those who drive it: `go run . mcp`.
package main

import (
	"github.com/agentc-dev/agentc/examples/delivery/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

func main() { app.Main(agents.New()) }
