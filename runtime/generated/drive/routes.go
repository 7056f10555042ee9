package drive

import (
	"fmt"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime/signals"
)

// Routes are the rules for signals that Go code adds to those of the files, for live machines and machines of runs. They
// are safe for concurrent use, and rules apply from the moment they are added. The zero value is ready.
type Routes struct {
	// Machines are the names of the agents for which rules can be added; nil: any.
	Machines []string

	mu sync.RWMutex
	// agents are the rules for the machine of an agent, by its name; those for all are below "".
	agents map[string][]signals.Rule
}

// Add adds rules for the machine of an agent, or its gate, or with "" for all machines. It panics for an agent that
// Machines does not name, because the rules would never apply.
func (r *Routes) Add(agent string, rules ...signals.Rule) {
	if agent != "" && r.Machines != nil && !slices.Contains(r.Machines, agent) {
		panic(fmt.Sprintf("rules for agent %q, which has no signals in its file; those that have are %q", agent, r.Machines))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.agents == nil {
		r.agents = map[string][]signals.Rule{}
	}
	r.agents[agent] = append(r.agents[agent], rules...)
}

// Rules returns the rules for the machine of an agent, or with "" for all machines; they must not be changed. Nil has
// none.
func (r *Routes) Rules(agent string) []signals.Rule {
	if r == nil {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()

	return r.agents[agent]
}
