// Command digest writes a digest of the documents in a folder.
package main

import (
	"github.com/agentc-dev/agentc/examples/digest/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

func main() {
	app.Main(agents.New(shelf{}))
}
