package signaling

import (
	"context"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Receiver has the signals of a run about which no machine has decided. It is safe for concurrent
// use.
type Receiver struct {
	// Routes are the rules of the program itself; nil without any.
	Routes *drive.Routes
	// Cancel ends the run at once; nil in a run that cannot be cancelled. It is set before machines
	// listen.
	Cancel context.CancelCauseFunc

	mu sync.Mutex
	// queued are the signals, the oldest first.
	queued []*Sent
}

// IsEmpty reports whether no signal waits.
func (r *Receiver) IsEmpty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	return len(r.queued) == 0
}

func (r *Receiver) add(sent *Sent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queued = append(r.queued, sent)
}

// Next takes the oldest signal for which a machine has a rule, and returns the decision of s; nil
// if there is none. Other signals wait for a machine, or a state, that has a rule. A rule that
// panics is a *runtime.PanicError.
func (r *Receiver) Next(s *Signals, m *Machine) (*signals.Ruling, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, sent := range r.queued {
		if !sent.canReach(m) {
			continue
		}
		ruling, err := s.Decide(m, sent.Signal)
		if ruling == nil && err == nil {
			continue
		}
		r.queued = slices.Delete(r.queued, i, i+1)

		return ruling, err
	}

	return nil, nil
}

// Drop removes a signal about which an earlier process has decided in a branch.
func (r *Receiver) Drop(signal signals.Signal, branch *addr.Position) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := slices.IndexFunc(r.queued, func(s *Sent) bool { return s.Signal == signal && s.isWithin(branch) })
	if at >= 0 {
		r.queued = slices.Delete(r.queued, at, at+1)
	}
}
