package check

import (
	"fmt"
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedAgent finds references to agents that do not exist or cannot run: the entry point, the
// agents of a flow, and states that are neither terminal nor in an externally driven machine.
var undefinedAgent = Pass{Name: "undefined-agent", run: func(u *unit) {
	u.reportUndefinedEntryPoint()
	for _, a := range u.program.Agents {
		for _, ref := range a.Contained() {
			switch {
			case ref.Agent == nil:
				// The flow itself cannot be meant.
				d := diag.New(diag.UndefinedAgent, ref.Span, "agent %q, which agent %q runs, does not exist", ref.Value, a.Name.Value)
				others := slices.DeleteFunc(slices.Clone(u.agentNames), func(name string) bool { return u.agents[name] == a })
				u.report(u.noteAgents(d.WithHint("add agents/%s/AGENT.md", path.Base(ref.Value)).Suggest(ref.Value, others)))
			case ref.Agent.IsGoDriven():
				u.report(diag.New(diag.UndefinedAgent, ref.Span,
					"agent %q is driven from outside and cannot run in %s %q", ref.Value, noun(a), a.Name.Value).
					Note(ref.Agent.Name.Span, "%q has %q, so no state of it runs an agent", ref.Value, "drive: external"))
			}
		}
	}
	for _, x := range u.machines {
		for _, s := range x.States {
			if x.lacksAgent(s) {
				u.report(x.undefinedAgentDiagnostic(u, s))
			}
		}
	}
}}

func (u *unit) reportUndefinedEntryPoint() {
	entry := u.program.EntryName
	if entry.Value == "" || u.program.Entry != nil {
		return
	}
	d := diag.New(diag.UndefinedAgent, entry.Span, "entry point %q is not an agent of this project", entry.Value)
	u.report(u.noteAgents(d.Suggest(entry.Value, u.agentNames)))
}

func (x *machine) undefinedAgentDiagnostic(u *unit, s *ir.State) *diag.Diagnostic {
	name := s.Name.Value
	d := diag.New(diag.UndefinedAgent, s.Name.Span, "agent %q, which runs in a state of machine %q, does not exist",
		name, x.name())
	near, ok := u.nearestAgent(name)
	if !ok {
		d.WithHint("a state with transitions runs the agent of its name: add agents/%s/AGENT.md", name)
		return u.noteAgents(d)
	}
	d.WithHint("did you mean %q?", near)
	x.addRenameFix(d, s, near, u.agentNames)
	if x.misspelledRefs[s] == nil {
		return u.noteAgents(d)
	}
	x.noteReferences(d, s)

	return d
}

// addRenameFix adds a fix that renames a state and all references to it, if the new name is certain
// and no other state has it.
func (x *machine) addRenameFix(d *diag.Diagnostic, s *ir.State, name string, candidates []string) {
	if x.byName[name] != nil || s.Name.Span.Text() != s.Name.Value || !diag.IsCertain(s.Name.Value, name, candidates) {
		return
	}
	edits := []diag.Edit{{Span: s.Name.Span, New: name}}
	for _, ref := range x.referencesTo(s) {
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
