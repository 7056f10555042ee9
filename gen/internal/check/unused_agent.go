package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// unusedAgent finds agents that no entry point leads to. Where the config names none, or a machine that Go drives, there are
// none: each agent that no other contains is an entry point then, and all that is left are circles. Of agents that only contain each other the first ones are
// at fault: the others would be reached if they were. A circle is reported once, at its first agent.
//
// Agents that a workflow declares and no step of it asks are found too.
var unusedAgent = Pass{Name: "unused-agent", run: func(u *unit) {
	u.unaskedAgents()
	entry := u.program.Entry
	if entry == nil {
		near, _ := u.nearestAgent(u.program.EntryName.Value)
		entry = u.agents[near]
	}
	if u.program.EntryName.Value == "" || entry == nil || entry.Driven() {
		return
	}
	unused := u.unusedAgents(entry)
	groups := scc.Groups(unused.next)
	led := ledFromOutside(unused.next, groups)
	seen := make([]bool, len(unused.agents))
	for c, group := range groups {
		if !led[c] {
			u.report(unused.finding(group, seen, entry.Name.Value))
		}
	}
}}

// agentGraph are agents with what they contain of each other, by index.
type agentGraph struct {
	agents []*ir.Agent
	next   [][]int
}

// finding is the finding for a group of agents that nothing outside of it contains, and for what is behind it and not seen yet.
func (g agentGraph) finding(group []int, seen []bool, entry string) *diag.Diagnostic {
	first := g.agents[group[0]]
	d := diag.New(diag.UnusedAgent, placeOf(first.Name, ir.Text{Span: source.Span{File: first.File, Start: -1, End: -1}}),
		"agent %q is not used: no path of agents leads to it from %q, with which the project starts", first.Name.Value, entry)
	if len(group) > 1 {
		d.Note(noSpan, "only %s %s to it", quoted(g.namesOf(group[1:])), plural(len(group)-1, "leads", "lead"))
	}
	if behind := g.namesOf(behind(g.next, group, seen)); len(behind) > 0 {
		d.Note(noSpan, "what it alone leads to is not used either: %s", listed(behind))
	}

	if _, isWorkflow := first.Node.(*ir.Workflow); isWorkflow {
		return d.WithHint("remove it, or use it in a step: uses: agent:%s", first.Name.Value)
	}

	return d.WithHint("remove it, or put a script.json beside it if it runs on its own")
}

func (g agentGraph) namesOf(agents []int) []string {
	names := make([]string, len(agents))
	for i, agent := range agents {
		names[i] = g.agents[agent].Name.Value
	}

	return names
}

// unusedAgents returns the agents that the entry points do not lead to, whatever is misspelled on the way.
func (u *unit) unusedAgents(entry *ir.Agent) agentGraph {
	points := append(u.program.EntryPoints(), entry)
	used := reached(points, containedAgents)
	if len(used) < len(u.program.Agents) {
		misread := u.misread()
		for _, a := range u.program.Agents {
			if misread.elsewhere(reference(a), a.File) {
				points = append(points, a)
			}
		}
		lacks := false
		used = reached(points, func(a *ir.Agent) []*ir.Agent {
			agents, all := u.meantAgents(a)
			lacks = lacks || !all
			return agents
		})
		if lacks {
			return agentGraph{} // what is left may be what the missing one contains
		}
	}

	return graphOf(slices.DeleteFunc(slices.Clone(u.program.Agents), func(a *ir.Agent) bool { return used[a] }))
}

// reached returns the agents that are there when one goes from agents to what they lead to, again and again.
func reached(from []*ir.Agent, leadsTo func(*ir.Agent) []*ir.Agent) map[*ir.Agent]bool {
	seen := map[*ir.Agent]bool{}
	for queue := slices.Clone(from); len(queue) > 0; {
		a := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !seen[a] {
			seen[a] = true
			queue = append(queue, leadsTo(a)...)
		}
	}

	return seen
}

func containedAgents(a *ir.Agent) []*ir.Agent {
	var agents []*ir.Agent
	for _, ref := range a.Contained() {
		if ref.Agent != nil {
			agents = append(agents, ref.Agent)
		}
	}

	return agents
}

// meantAgents returns what a contains and, of names that are no agent's, what they most likely mean: also those of markers.
// all is false if an agent is missing and no other is meant.
func (u *unit) meantAgents(a *ir.Agent) (agents []*ir.Agent, all bool) {
	agents, all = containedAgents(a), true
	mean := func(name string, marker bool) {
		near, ok := u.nearestAgent(name)
		all = all && (ok || marker)
		if ok {
			agents = append(agents, u.agents[near])
		}
	}
	for _, ref := range a.Contained() {
		if ref.Agent == nil {
			mean(ref.Value, false)
		}
	}
	if m, ok := a.Node.(*ir.Machine); ok && !m.External {
		for _, s := range m.States {
			if s.Agent == nil {
				mean(s.Name.Value, s.Terminal())
			}
		}
	}

	return agents, all
}

// graphOf returns what agents contain of each other.
func graphOf(agents []*ir.Agent) agentGraph {
	g := agentGraph{agents: agents, next: make([][]int, len(agents))}
	index := make(map[*ir.Agent]int, len(agents))
	for i, a := range agents {
		index[a] = i
	}
	for i, a := range agents {
		for _, inner := range containedAgents(a) {
			if j, unused := index[inner]; unused {
				g.next[i] = append(g.next[i], j)
			}
		}
	}

	return g
}
