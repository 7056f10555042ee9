package temporal

import (
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

// Part is the commands worker, start and reply as a part of a program: generated code names it for include:
// [temporal].
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "temporal" }

// Commands returns the commands that package app adds.
func (Part) Commands(p *compiled.Program) []*cli.Command {
	return []*cli.Command{workerCommand(p), startCommand(p), replyCommand(p)}
}
