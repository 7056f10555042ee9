// Command coder is a react agent whose tools are behind a gate: it researches before it writes, tests before it is done, and deletes
// nothing that it has not proposed and a person has not allowed. The tools and guards are methods of workspace.
package main

import (
	"github.com/agentc-dev/agentc/examples/coder/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

func main() {
	w := newWorkspace()
	app.Main(agents.New(w, w))
}
