package serve

import (
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

// Part is what a project with include: [serve] names in its program: the command serve.
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "serve" }

// Commands implements app.Commander.
func (Part) Commands(p *compiled.Program) []*cli.Command { return []*cli.Command{command(p)} }
