package live

import (
	"fmt"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime/signals"
)

// Routes are the rules for signals that Go code adds for the machines of a program, both live machines and machines
// of runs. They are safe for concurrent use, and rules apply from the moment they are added.
type Routes struct {
	machines []string
	mu       sync.RWMutex
	agents   map[string][]signals.Rule
	host     []signals.Rule
}

// NewRoutes returns the routes of a program in which these agents have machines or gates with `signals`. Generated
// code calls it.
func NewRoutes(machines ...string) *Routes {
	return &Routes{machines: machines, agents: map[string][]signals.Rule{}}
}

// Add adds rules for an audience. It panics if the audience is no machine of the routes, because the rules would
// never apply.
func (r *Routes) Add(to signals.Audience, rules ...signals.Rule) {
	if to.Tier() == signals.TierAgent && !slices.Contains(r.machines, to.Name()) {
		panic(fmt.Sprintf("rules for agent %q, which has no signals in its file; those that have are %q", to.Name(), r.machines))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if to.Tier() == signals.TierHost {
		r.host = append(r.host, rules...)

		return
	}
	r.agents[to.Name()] = append(r.agents[to.Name()], rules...)
}

// Rules implements [signals.Router].
func (r *Routes) Rules(tier signals.Tier, machine string) []signals.Rule {
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch tier {
	case signals.TierAgent:
		return r.agents[machine]
	case signals.TierHost:
		return r.host
	}

	return nil
}

// Routed makes the rules of a program apply to the machine too. In each tier they follow those of [Route].
func Routed(rules signals.Router) Option {
	return func(e *extra) { e.router = rules }
}
