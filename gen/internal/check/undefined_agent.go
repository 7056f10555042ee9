package check

import (
	"fmt"
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedAgent finds references to agents that do not exist or cannot run: the entry point, what a flow runs, and states
// that are neither terminals nor part of a machine that others drive.
var undefinedAgent = Pass{Name: "undefined-agent", run: func(u *unit) {
	u.entryPoint()
	for _, a := range u.program.Agents {
		for _, ref := range a.Contained() {
			switch {
			case ref.Agent == nil:
				// The flow itself cannot be meant.
				d := diag.New(diag.UndefinedAgent, ref.Span, "agent %q, which agent %q runs, does not exist", ref.Value, a.Name.Value)
				others := slices.DeleteFunc(slices.Clone(u.agentNames), func(name string) bool { return u.agents[name] == a })
				u.report(u.noteAgents(d.WithHint("add agents/%s/AGENT.md", path.Base(ref.Value)).Suggest(ref.Value, others)))
			case ref.Agent.Driven():
				u.report(diag.New(diag.UndefinedAgent, ref.Span,
					"agent %q is driven from outside and cannot run in %s %q", ref.Value, noun(a), a.Name.Value).
					Note(ref.Agent.Name.Span, "%q has %q, so no state of it runs an agent", ref.Value, "drive: external"))
			}
		}
	}
	for _, x := range u.machines {
		for _, s := range x.States {
			if x.wantsAgent(s) {
				u.report(x.undefinedAgent(u, s))
			}
		}
	}
}}

func (u *unit) entryPoint() {
	entry := u.program.EntryName
	if entry.Value == "" || u.program.Entry != nil {
		return
	}
	d := diag.New(diag.UndefinedAgent, entry.Span, "entry point %q is not an agent of this project", entry.Value)
	u.report(u.noteAgents(d.Suggest(entry.Value, u.agentNames)))
}

func (x *machine) undefinedAgent(u *unit, s *ir.State) *diag.Diagnostic {
	name := s.Name.Value
	d := diag.New(diag.UndefinedAgent, s.Name.Span, "agent %q, which runs in a state of machine %q, does not exist",
		name, x.name())
	near, ok := u.nearestAgent(name)
	if !ok {
		d.WithHint("a state with transitions runs the agent of its name: add agents/%s/AGENT.md", name)
		return u.noteAgents(d)
	}
	d.WithHint("did you mean %q?", near)
	x.fixName(d, s, near, u.agentNames)
	if x.ledBy[s] == nil {
		return u.noteAgents(d)
	}
	x.noteLedBy(d, s)

	return d
}

// fixName adds the fix that renames a state and whatever leads to it to one of the candidates, if that is certain and there is
// no state of that name.
func (x *machine) fixName(d *diag.Diagnostic, s *ir.State, name string, candidates []string) {
	if x.byName[name] != nil || s.Name.Span.Text() != s.Name.Value || !diag.Certain(s.Name.Value, name, candidates) {
		return
	}
	edits := []diag.Edit{{Span: s.Name.Span, New: name}}
	for _, ref := range x.ledTo(s) {
		if ref.Span.Text() != ref.Value {
			return
		}
		edits = append(edits, diag.Edit{Span: ref.Span, New: name})
	}
	d.Fixes = append(d.Fixes, diag.Fix{Message: fmt.Sprintf("rename state %q to %q", s.Name.Value, name), Edits: edits})
}

func (u *unit) noteAgents(d *diag.Diagnostic) *diag.Diagnostic {
	return noteAll(d, noSpan, "agent", u.agentNames)
}
