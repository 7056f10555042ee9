package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// unusedAgent finds agents that no entry point leads to. If the config names no entry point, or
// names an externally driven machine, each agent that no other contains is an entry point, and
// nothing is reported. Of agents that only contain each other the first ones are reported, and of a
// cycle the first agent.
//
// The pass also finds agents that a workflow declares and no step of it calls.
var unusedAgent = Pass{Name: "unused-agent", run: func(u *unit) {
	u.reportUnaskedAgents()
	entry := u.program.Entry
	if entry == nil {
		near, _ := u.nearestAgent(u.program.EntryName.Value)
		entry = u.agents[near]
	}
	if u.program.EntryName.Value == "" || entry == nil || entry.IsGoDriven() {
		return
	}
	used, known := u.usedAgents(entry)
	if !known {
		return
	}
	index := make(map[*ir.Agent]int, len(u.program.Agents))
	for i, a := range u.program.Agents {
		index[a] = i
	}
	next, seen := make([][]int, len(index)), make([]bool, len(index))
	for i, a := range u.program.Agents {
		seen[i] = used[a]
		for _, inner := range containedAgents(a) {
			next[i] = append(next[i], index[inner])
		}
	}
	eachUnreached(next, seen, func(group, behind []int) { u.report(u.unusedDiagnostic(group, behind, entry.Name.Value)) })
}}

// unusedDiagnostic describes a group of agents that nothing outside contains, and the agents after
// it.
func (u *unit) unusedDiagnostic(group, behind []int, entry string) *diag.Diagnostic {
	first := u.program.Agents[group[0]]
	d := diag.New(diag.UnusedAgent, placeOf(first.Name, ir.Text{Span: source.Span{File: first.File, Start: -1, End: -1}}),
		"agent %q is not used: no chain of agents leads to it from %q, the entry point", first.Name.Value, entry)
	if len(group) > 1 {
		d.Note(noSpan, "only %s %s to it", quoted(pickNames(u.agentNames, group[1:])), plural(len(group)-1, "leads", "lead"))
	}
	if len(behind) > 0 {
		d.Note(noSpan, "agents that only it leads to are not used either: %s", diag.JoinNames(pickNames(u.agentNames, behind)))
	}
	if _, isWorkflow := ir.WorkflowOf(first.Node); isWorkflow {
		return d.WithHint("remove it, or use it in a step: uses: agent:%s", first.Name.Value)
	}

	return d.WithHint("remove it, or put a script.json next to it if it runs on its own")
}

// usedAgents returns the agents that the entry points lead to, including those that misspelled
// names mean. known is false if an agent is missing, because it may contain the remaining ones.
func (u *unit) usedAgents(entry *ir.Agent) (used map[*ir.Agent]bool, known bool) {
	named := ir.Where(u.program.Agents, func(a *ir.Agent) bool { return u.mayBeNamed(referenceName(a), a.File) })
	queue := slices.Concat(u.program.EntryPoints(), []*ir.Agent{entry}, named)
	used, known = map[*ir.Agent]bool{}, true
	for ; len(queue) > 0; queue = queue[1:] {
		if a := queue[0]; !used[a] {
			used[a] = true
			agents, all := u.meantAgents(a)
			known = known && all
			queue = append(queue, agents...)
		}
	}

	return used, known
}

func containedAgents(a *ir.Agent) []*ir.Agent {
	known := ir.Where(a.Contained(), func(ref ir.AgentRef) bool { return ref.Agent != nil })

	return ir.Map(known, func(ref ir.AgentRef) *ir.Agent { return ref.Agent })
}

// meantAgents returns the agents that a contains, and those that its undefined names and markers
// most likely mean. all is false if an agent is missing and no other is meant.
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
				mean(s.Name.Value, s.IsTerminal())
			}
		}
	}

	return agents, all
}

// reportUnaskedAgents reports agents that a workflow declares and none of its steps calls.
func (u *unit) reportUnaskedAgents() {
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		asked := ir.SetOf(ir.Map(ir.OpsOf[*ir.Run](a.Body()), func(run *ir.Run) *ir.Step { return run.Step }))
		for _, agent := range w.Conversations {
			if !asked[agent] {
				u.report(diag.New(diag.UnusedAgent, agent.Name.Span, "agent %q is not used: no step of workflow %q calls it",
					agent.Name.Value, a.Name.Value).WithHint("remove it, or call it in a step: uses: agents.%s", agent.Name.Value))
			}
		}
	})
}

// mayBeNamed reports whether a name occurs in another file with an error of the front end: the
// unreadable part may use the name.
func (u *unit) mayBeNamed(name string, own *source.File) bool {
	for f := range u.faultyFiles {
		if f != own && containsName(f.Bytes, name) {
			return true
		}
	}

	return false
}
