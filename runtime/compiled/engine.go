package compiled

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
)

// Engine runs programs.
type Engine interface {
	// Run runs an agent of p with the input and returns its result. It returns the cause of ctx when that is done.
	Run(ctx context.Context, p *Program, agent, input string) (runtime.Finish, error)
}
