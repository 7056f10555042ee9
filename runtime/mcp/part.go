package mcp

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// Part is what a project with include: [mcp] names in its program: the command mcp.
type Part struct{}

// Part implements runtime.Part.
func (Part) Part() string { return "mcp" }

// Commands implements app.Commander.
func (Part) Commands(p *runtime.Program) []*cli.Command { return []*cli.Command{command(p)} }
