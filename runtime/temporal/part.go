package temporal

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// Part is what a project with include: [temporal] names in its program: the commands worker, start and reply.
type Part struct{}

// Part implements runtime.Part.
func (Part) Part() string { return "temporal" }

// Commands implements app.Commander.
func (Part) Commands(p *runtime.Program) []*cli.Command {
	return []*cli.Command{workerCommand(p), startCommand(p), replyCommand(p)}
}
