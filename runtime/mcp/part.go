package mcp

import (
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

// Part is what a project with include: [mcp] names in its program: the command mcp.
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "mcp" }

// Commands are the commands that package app adds.
func (Part) Commands(p *compiled.Program) []*cli.Command { return []*cli.Command{command(p)} }
