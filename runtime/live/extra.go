package live

import (
	"time"

	"github.com/agentc-dev/agentc/runtime/drive"
	"github.com/agentc-dev/agentc/runtime/internal/signalrule"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// extra is what only some machines have: options, subscribers, signals that were put off.
type extra struct {
	clock   drive.Clock
	history history
	routes  [2][]signals.Rule // of the agent's tier and the host's
	router  signals.Router    // nil without one
	later   []signals.Signal
	hub     hub
}

// more returns the extra of the machine, which is made at the first call. The machine is locked.
func (m *Machine[S, K]) more() *extra {
	if m.extra == nil {
		m.extra = &extra{}
	}

	return m.extra
}

// Option configures a new machine.
type Option func(*extra)

// Clock sets the clock for the timers of the machine; nil is the system's.
func Clock(clock drive.Clock) Option {
	return func(e *extra) { e.clock = clock }
}

// KeepHistory keeps the last n steps for [Machine.History].
func KeepHistory(n int) Option {
	return func(e *extra) { e.history.keep = max(n, 0) }
}

// Route adds rules for signals in a tier after that of the file: of one agent ([signals.TierAgent]) or of the host
// ([signals.TierHost]). It panics for other tiers.
func Route(tier signals.Tier, rules ...signals.Rule) Option {
	at := -1
	for i, own := range ownTiers {
		if own == tier {
			at = i
		}
	}
	if at < 0 {
		panic("live: rules of Go code have the tier agent or host, not " + string(tier))
	}

	return func(e *extra) { e.routes[at] = append(e.routes[at], rules...) }
}

// ownTiers are the tiers of extra.routes.
var ownTiers = [...]signals.Tier{signals.TierAgent, signals.TierHost}

// route finds the rule of a tier for a signal to a machine; nil if there is none.
func (e *extra) route(tier int, machine string, signal signals.Signal, state string) *signals.Rule {
	found := signalrule.Best(e.routes[tier], signal, state)
	if e.router == nil {
		return found
	}
	other := signalrule.Best(e.router.Rules(ownTiers[tier], machine), signal, state)
	if found == nil || other != nil && other.Priority > found.Priority {
		return other
	}

	return found
}

// time is what the clock of the machine says.
func (e *extra) time() time.Time {
	if e == nil || e.clock == nil {
		return time.Now()
	}

	return e.clock.Now()
}

// history is the newest steps.
type history struct {
	keep  int
	steps []drive.Step // a ring once it is full
	next  int          // the oldest then
}

func (h *history) add(step drive.Step) {
	switch {
	case h.keep == 0:
	case len(h.steps) < h.keep:
		h.steps = append(h.steps, step)
	default:
		h.steps[h.next] = step
		h.next = (h.next + 1) % h.keep
	}
}

// History returns the steps that the machine has made since it was created or restored, the oldest first, as many as
// [KeepHistory] keeps.
func (m *Machine[S, K]) History() []drive.Step {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.extra == nil {
		return nil
	}
	h := &m.extra.history

	return append(append([]drive.Step(nil), h.steps[h.next:]...), h.steps[:h.next]...)
}
