package serve

import (
	"io"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/inspect/page"
)

// Part is the command serve as a part of a program: generated code names it for include: [serve].
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "serve" }

// WritePage implements what package app asks for.
func (Part) WritePage(w io.Writer, p *page.Page) error { return p.Write(w) }

// Commands returns the commands that package app adds.
func (Part) Commands(p *compiled.Program) []*cli.Command { return []*cli.Command{newCommand(p)} }
