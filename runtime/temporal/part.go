package temporal

import (
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/compiled"
)

// Part is what a project with include: [temporal] names in its program: the commands worker, start and reply.
type Part struct{}

// Part implements compiled.Part.
func (Part) Part() string { return "temporal" }

// Commands are the commands that package app adds.
func (Part) Commands(p *compiled.Program) []*cli.Command {
	return []*cli.Command{workerCommand(p), startCommand(p), replyCommand(p)}
}
