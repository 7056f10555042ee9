package serve

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// Part is what a project with include: [serve] names in its program: the command serve.
type Part struct{}

// Part implements runtime.Part.
func (Part) Part() string { return "serve" }

// Commands implements app.Commander.
func (Part) Commands(p *runtime.Program) []*cli.Command { return []*cli.Command{command(p)} }
