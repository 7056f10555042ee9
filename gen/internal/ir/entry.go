package ir

import "slices"

// EntryPoints returns the agents with which a run may start, in the order of the program:
//
// - the agent that the config names; if it names none, or a machine that Go code drives, each agent
// that no other contains;
// - each agent with its own script;
// - each machine that Go code drives, because Go takes it by name.
func (p *Program) EntryPoints() []*Agent {
	starts := map[*Agent]bool{p.Entry: p.Entry != nil}
	if p.EntryName.Value == "" || p.Entry != nil && p.Entry.IsGoDriven() {
		for _, a := range p.TopLevelAgents() {
			starts[a] = true
		}
	}

	return Where(p.Agents, func(a *Agent) bool { return starts[a] || a.Scripted || a.IsGoDriven() })
}

// TopLevelAgents returns the agents that no other agent contains, in the order of the program.
func (p *Program) TopLevelAgents() []*Agent {
	contained := map[*Agent]bool{}
	for _, a := range p.Agents {
		for _, ref := range a.Contained() {
			contained[ref.Agent] = contained[ref.Agent] || ref.Agent != a
		}
	}

	return Where(p.Agents, func(a *Agent) bool { return !contained[a] })
}

// IsGoDriven reports whether a is a machine that only Go code drives. It cannot be run.
func (a *Agent) IsGoDriven() bool {
	m, ok := a.Node.(*Machine)

	return ok && m != nil && m.External
}

// ReachableFrom returns agents and all agents that they contain, directly or not, each once.
func ReachableFrom(from ...*Agent) []*Agent {
	agents := slices.Clone(from)
	seen := SetOf(from)
	for at := 0; at < len(agents); at++ {
		for _, ref := range agents[at].Contained() {
			if ref.Agent != nil && !seen[ref.Agent] {
				seen[ref.Agent] = true
				agents = append(agents, ref.Agent)
			}
		}
	}

	return agents
}

// AgentOf returns the agent or the workflow that an operation runs. It is nil for any other
// operation.
func AgentOf(op Op) *AgentRef {
	switch op := op.(type) {
	case *Run:
		return op.Agent
	case *Import:
		return op.Agent
	}

	return nil
}

// CannotStart reports whether an operation runs a workflow that cannot start: its context is empty
// there, and has required fields. What the step does about a failure of the workflow does not help.
func CannotStart(op Op) bool {
	imported, isImport := op.(*Import)
	if isImport && imported.Inherit {
		return false
	}
	ref := AgentOf(op)

	return ref != nil && len(ref.Agent.RequiredContext()) > 0
}

// RequiredContext returns the fields that the initial context of an agent must have. It is nil for
// an agent that is not a workflow, and for a partial one. Only the caller of an entry point, and
// the context of a workflow that imports it, can provide them.
func (a *Agent) RequiredContext() []string {
	if a == nil {
		return nil
	}
	w, isWorkflow := WorkflowOf(a.Node)
	if !isWorkflow || w.Partial || w.Context == nil {
		return nil
	}

	return w.Context.RequiredNames()
}

// Containment is a reference by which an agent runs another.
type Containment struct {
	By, Agent *Agent
	// At is the reference as written.
	At Text
}

// WalkContained visits all agents depth first, each once, with an explicit stack. It calls circle
// for every reference that leads back into the current path, with the references of the circle. It
// calls done for each agent after the agents that it contains, except those that close a circle.
func WalkContained(agents []*Agent, circle func([]Containment), done func(*Agent)) {
	type visit struct {
		agent *Agent
		refs  []AgentRef
		i     int
	}
	depth := map[*Agent]int{} // 1-based index in the path; -1 when done
	var path []visit
	enter := func(a *Agent) {
		path = append(path, visit{agent: a, refs: a.Contained()})
		depth[a] = len(path)
	}

	for _, root := range agents {
		if depth[root] == 0 {
			enter(root)
		}
		for len(path) > 0 {
			v := &path[len(path)-1]
			if v.i == len(v.refs) {
				done(v.agent)
				depth[v.agent] = -1
				path = path[:len(path)-1]
				continue
			}
			ref := v.refs[v.i]
			v.i++
			switch at := depth[ref.Agent]; {
			case ref.Agent == nil:
			case at == 0:
				enter(ref.Agent)
			case at > 0:
				var refs []Containment
				for _, on := range path[at-1:] {
					ref := on.refs[on.i-1]
					refs = append(refs, Containment{By: on.agent, Agent: ref.Agent, At: ref.Text})
				}
				circle(refs)
			}
		}
	}
}
