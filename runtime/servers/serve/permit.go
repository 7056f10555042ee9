package serve

import (
	"context"
	"net/http"

	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// need is what an operation needs of its caller: one of those below, or a right. An operation on a run also needs that the
// caller can see the run.
type need string

const (
	noToken need = "no token"
	// anyToken is the need of an operation whose reply has only what the caller may see.
	anyToken need = "a token"
	// sight is the need of an operation that shows a run.
	sight need = "sight of the run"
)

// checkPermission returns an error if the caller may not carry out an operation, as far as the path
// decides it.
func (s *Server) checkPermission(r *http.Request, who access.Caller, needs need) error {
	right := access.Right(needs)
	if needs == anyToken || needs == noToken || needs == sight {
		right = ""
	}
	if run := r.PathValue("run"); run != "" {
		return s.permitRun(r.Context(), who, run, right)
	}
	if right == "" {
		return nil
	}

	return who.Check(right, access.Target{})
}

// permitRun returns why the caller may not do to a run what the right is for; "" only shows the run. A run that the caller may
// not see is one that does not exist.
func (s *Server) permitRun(ctx context.Context, who access.Caller, run string, right access.Right) error {
	if !who.HasToken() {
		return nil
	}
	target, err := s.targetOf(ctx, run)
	if err != nil && !who.CanSee(access.Target{}) { // it cannot be read: only who may read all runs learns why
		return unknownRun(run)
	}
	switch {
	case err != nil:
		return err
	case !who.CanSee(target):
		return unknownRun(run)
	case right == "":
		return nil
	}

	return who.Check(right, target)
}

// targetOf returns what rights to a run depend on.
func (s *Server) targetOf(ctx context.Context, run string) (access.Target, error) {
	h, err := s.histories.readHead(ctx, s.store, run)
	if err != nil {
		return access.Target{}, err
	}

	return access.Target{By: h.run.By, Agent: h.run.Agent}, nil
}

// showCaller answers who asks, and what the caller may do.
func (s *Server) showCaller(w http.ResponseWriter, r *http.Request) error {
	who := callerOf(r)
	g, err := who.Grant()
	if err != nil {
		return err
	}
	g = g.Complete()
	shown := wire.Caller{Name: g.Name, Agents: g.Agents, Questions: g.Questions, Machines: g.Machines}
	for _, right := range g.Rights {
		shown.Rights = append(shown.Rights, string(right))
	}

	return writeJSON(w, http.StatusOK, shown)
}
