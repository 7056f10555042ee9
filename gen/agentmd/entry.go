package agentmd

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/source"
)

// resolveEntry finds the entry point: the agent that the config names, else the one that no other contains. It sorts what
// the program has.
func (l *loader) resolveEntry() {
	p := l.program
	slices.SortFunc(p.Agents, func(a, b *ir.Agent) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	slices.SortFunc(p.Skills, func(a, b *ir.Skill) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	slices.SortFunc(p.Files, func(a, b *source.File) int { return cmp.Compare(a.Path, b.Path) })
	if p.EntryName.Value != "" {
		p.Entry = l.agents[p.EntryName.Value]
		return
	}

	contained := containedAgents(p.Agents)
	var tops []*ir.Agent
	for _, a := range p.Agents {
		if !contained[a] && !driven(a) {
			tops = append(tops, a)
		}
	}
	if len(tops) == 1 {
		p.Entry = tops[0]
	}
}

// driven reports whether a is a machine that only Go code drives, which cannot be run.
func driven(a *ir.Agent) bool {
	machine, ok := a.Node.(*ir.Machine)

	return ok && machine.External
}

// containedAgents returns the agents that another agent runs.
func containedAgents(agents []*ir.Agent) map[*ir.Agent]bool {
	contained := map[*ir.Agent]bool{}
	for _, a := range agents {
		for _, ref := range a.Contained() {
			if ref.Agent != nil && ref.Agent != a {
				contained[ref.Agent] = true
			}
		}
	}

	return contained
}
