package check

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedState finds transitions and other references to undefined states. If the name of the
// state itself is misspelled, the state gets the diagnostic.
var undefinedState = Pass{Name: "undefined-state", run: func(u *unit) {
	for _, x := range slices.Concat(u.machines, u.workMachines) {
		u.reportUndefinedTargets(x)
		u.reportUndefinedSources(x)
		for _, s := range x.States {
			if x.misspelledRefs[s] != nil && !x.lacksAgent(s) { // one that does is found by undefinedAgent
				name := x.misspelledRefs[s][0].Value
				d := diag.New(diag.UndefinedState, s.Name.Span, "no row leads to state %q of machine %q, but one leads to %q, which is not defined",
					s.Name.Value, x.name(), name).WithHint("did you mean %q?", name)
				x.addRenameFix(d, s, name, nil)
				x.noteReferences(d, s)
				u.report(d)
			}
		}
	}
	u.reportUndefinedLiveStates()
}}

// reportUndefinedTargets reports undefined targets of rows. A target without a similar state is a
// forgotten state, which gets one diagnostic for all its rows.
func (u *unit) reportUndefinedTargets(x *machine) {
	forgotten := map[string]*diag.Diagnostic{}
	for _, ref := range x.refs[1:] {
		switch first := forgotten[ref.Value]; {
		case ref.State != nil || ref.Value == "" || x.misspelled[ref.Value] != nil:
		case first != nil:
			first.Note(ref.Span, "%q is named here, too", ref.Value)
		default:
			d := x.undefinedStateDiagnostic(u, ref)
			if x.resolve(ref) == nil {
				forgotten[ref.Value] = d
			}
			u.report(d)
		}
	}
}

// reportUndefinedSources reports rows of a workflow that lead from a state which is undefined or
// has no steps.
func (u *unit) reportUndefinedSources(x *machine) {
	left := ir.Where(x.States, func(s *ir.State) bool { return !s.End || len(s.Body.Steps()) > 0 })
	sources := ir.Map(left, func(s *ir.State) string { return s.Name.Value })
	for _, row := range x.Machine.Rows() {
		name := row.From.Value
		if row.From.State != nil || row.IsFromAny() || name == "" {
			continue
		}
		if x.byName[name] != nil {
			u.report(diag.New(diag.UndefinedState, row.From.Span, "state %q is an end state without steps: no row leaves it", name).
				Note(x.byName[name].Name.Span, "%q is an end state", name))
			continue
		}
		d := diag.New(diag.UndefinedState, row.From.Span, "state %q is not defined in machine %q", name, x.name())
		u.report(noteAll(suggestUsed(d, name, append(sources, ir.CatchAll), x.isStateUsed), noSpan, "state", sources))
	}
}

// isStateUsed reports whether more than one name of the source calls a state of a workflow so.
func (x *machine) isStateUsed(name string) bool {
	return name == ir.CatchAll || x.isStateReferenced(name) || slices.ContainsFunc(x.Machine.Rows(), func(row *ir.Row) bool { return row.From.Value == name })
}

// endWords are the targets that end a machine in other systems.
var endWords = []string{"end", "exit", "stop", "finish", "none", "nil", "terminal"}

func (x *machine) undefinedStateDiagnostic(u *unit, ref ir.Ref) *diag.Diagnostic {
	d := diag.New(diag.UndefinedState, ref.Span, "state %q is not defined in machine %q", ref.Value, x.name())
	switch near := x.resolve(ref); {
	case near != nil && (near.Agent != nil || len(x.referencesTo(near)) > 0):
		d.Suggest(ref.Value, []string{near.Name.Value})
	case near != nil: // of the two, either can be misspelled
		d.Guess(ref.Value, []string{near.Name.Value})
	case x.task != nil:
		d.WithHint("add it to the states, or to end_states if the machine ends there")
	case u.agents[ref.Value] != nil && !x.isDriven():
		d.WithHint("to end with agent %q, add %q to the states", ref.Value, ref.Value+": ~")
	case ref.Value == "~" || ref.Value == "null":
		d.WithHint("to end the machine, write ~ without quotes")
	case slices.Contains(endWords, strings.ToLower(ref.Value)):
		d.WithHint("to end the machine, write ~")
	default:
		d.WithHint("if the machine ends there, add %q to the states", ref.Value+": ~")
	}

	return x.noteStates(d, ref)
}

// noteStates adds a note with the defined states, at the one that ref most likely means or the
// first.
func (x *machine) noteStates(d *diag.Diagnostic, ref ir.Ref) *diag.Diagnostic {
	at := x.resolve(ref)
	if at == nil && len(x.States) > 0 {
		at = x.States[0]
	}
	if at == nil {
		return d
	}

	return noteAll(d, at.Name.Span, "state", x.names)
}

// findMisspelled finds states whose own name is misspelled, so that one diagnostic at the state
// replaces those at the references. This is the case if
//
// - the state lacks its agent, and references name an agent without a state that is similar; or -
// nothing leads to the state, it lacks no agent, and either two references agree on the similar
// name, or the state is a marker and the similar name is an agent.
func (x *machine) findMisspelled(u *unit) {
	dangling := map[string][]ir.Ref{}
	var names []string
	for _, ref := range x.refs {
		if ref.State != nil || ref.Value == "" {
			continue
		}
		if dangling[ref.Value] == nil {
			names = append(names, ref.Value)
		}
		dangling[ref.Value] = append(dangling[ref.Value], ref)
	}
	if len(names) == 0 {
		return
	}

	for _, s := range x.States {
		if x.lacksAgent(s) {
			if near, ok := u.nearestAgent(s.Name.Value); ok && dangling[near] != nil {
				x.recordMisspelled(s, near, dangling[near])
			}
		}
	}
	for _, name := range names {
		s := x.resolve(dangling[name][0])
		if s == nil || len(x.referencesTo(s)) > 0 || x.lacksAgent(s) {
			continue
		}
		if len(dangling[name]) > 1 || s.IsMarker() && u.agents[name] != nil && !x.isDriven() {
			x.recordMisspelled(s, name, dangling[name])
		}
	}
}

// lacksAgent reports whether s has to run an agent that does not exist.
func (x *machine) lacksAgent(s *ir.State) bool {
	return !x.isDriven() && !s.IsTerminal() && s.Agent == nil
}

// recordMisspelled records that refs, which use name, mean s.
func (x *machine) recordMisspelled(s *ir.State, name string, refs []ir.Ref) {
	if x.misspelled[name] != nil || x.misspelledRefs[s] != nil {
		return
	}
	x.misspelled[name], x.nearest[name], x.misspelledRefs[s] = s, s, refs
}

// noteReferences adds notes on the references to a misspelled state.
func (x *machine) noteReferences(d *diag.Diagnostic, s *ir.State) {
	noteEach(d, x.misspelledRefs[s], "and so on, %d more", func(ref ir.Ref) { d.Note(ref.Span, "%q is what leads here", ref.Value) })
}
