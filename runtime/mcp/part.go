package mcp

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// Part is what a project with include: [mcp] names in its program: the command mcp.
type Part struct{}

// Part implements runtime.Part.
func (Part) Part() string { return "mcp" }

// Command implements app.Commander.
func (Part) Command(p *runtime.Program) *cli.Command { return command(p) }
