// Command researcher is a react agent with two skills, whose typed tools are methods in tools.go.
package main

import (
	"github.com/agentc-dev/agentc/examples/researcher/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

func main() {
	app.Main(agents.New(newTools()))
}
