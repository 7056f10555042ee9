package mcp

import (
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

// Part is the command mcp as a part of a program: generated code names it for include: [mcp].
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "mcp" }

// Commands returns the commands that package app adds.
func (Part) Commands(p *compiled.Program) []*cli.Command { return []*cli.Command{command(p)} }
