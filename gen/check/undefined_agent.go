package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// undefinedAgent finds references to agents that do not exist or cannot run: the entry point, and states that are neither
// terminals nor part of a machine that others drive.
var undefinedAgent = Pass{Name: "undefined-agent", run: func(u *unit) {
	u.entryPoint()
	for _, x := range u.machines {
		if x.External {
			continue
		}
		for _, s := range x.States {
			switch {
			case s.Agent != nil && driven(s.Agent):
				u.report(diag.New(diag.UndefinedAgent, s.Name.Span,
					"agent %q is driven from outside and cannot run in machine %q", s.Name.Value, x.agent.Name.Value).
					Note(s.Agent.Name.Span, "%q has %q, so no state of it runs an agent", s.Name.Value, "drive: external"))
			case s.Agent == nil && !s.Terminal():
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
		name, x.agent.Name.Value)
	near, ok := diag.Nearest(name, u.agentNames)
	if !ok {
		d.WithHint("a state with transitions runs the agent of its name: add agents/%s/AGENT.md", name)
		return u.noteAgents(d)
	}
	d.WithHint("did you mean %q?", near)
	x.fixName(d, s, near)
	if x.ledBy[s] == nil {
		return u.noteAgents(d)
	}
	x.noteLedBy(d, s)

	return d
}

// fixName adds the fix that renames a state and whatever leads to it, unless there is a state of that name.
func (x *machine) fixName(d *diag.Diagnostic, s *ir.State, name string) {
	if x.byName[name] != nil || s.Name.Span.Text() != s.Name.Value {
		return
	}
	edits := []diag.Edit{{Span: s.Name.Span, New: name}}
	for _, ref := range x.led[s] {
		if ref.Span.Text() != ref.Value {
			return
		}
		edits = append(edits, diag.Edit{Span: ref.Span, New: name})
	}
	d.Fixes = append(d.Fixes, diag.Fix{Message: fmt.Sprintf("rename state %q to %q", s.Name.Value, name), Edits: edits})
}

func (u *unit) noteAgents(d *diag.Diagnostic) *diag.Diagnostic {
	if len(u.agentNames) == 0 {
		return d
	}

	return d.Note(noSpan, "the %s %s", plural(len(u.agentNames), "only agent is", "agents are"), listed(u.agentNames))
}

// driven reports whether a is a machine whose keys come from outside.
func driven(a *ir.Agent) bool {
	m, ok := a.Node.(*ir.Machine)
	return ok && m != nil && m.External
}
