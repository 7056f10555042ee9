package check

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedState finds transitions to states that do not exist, and other places that name such a state. Where the state's own
// name is at fault, that is the place.
var undefinedState = Pass{Name: "undefined-state", run: func(u *unit) {
	for _, x := range slices.Concat(u.machines, u.workMachines) {
		u.undefinedTargets(x)
		u.undefinedSources(x)
		for _, s := range x.States {
			if x.ledBy[s] != nil && !x.wantsAgent(s) { // one that does is found by undefinedAgent
				name := x.ledBy[s][0].Value
				d := diag.New(diag.UndefinedState, s.Name.Span, "no row leads to state %q of machine %q, but one leads to %q, which is not defined",
					s.Name.Value, x.name(), name).WithHint("did you mean %q?", name)
				x.fixName(d, s, name, nil)
				x.noteLedBy(d, s)
				u.report(d)
			}
		}
	}
	u.undefinedLiveStates()
}}

// undefinedTargets reports the states that rows lead to and that do not exist. One that is like none of those that there are
// is a state that was forgotten, however many rows lead there.
func (u *unit) undefinedTargets(x *machine) {
	forgotten := map[string]*diag.Diagnostic{}
	for _, ref := range x.refs[1:] {
		switch first := forgotten[ref.Value]; {
		case ref.State != nil || ref.Value == "" || x.misspelled[ref.Value] != nil:
		case first != nil:
			first.Note(ref.Span, "%q is named here, too", ref.Value)
		default:
			d := x.undefinedState(u, ref)
			if x.resolve(ref) == nil {
				forgotten[ref.Value] = d
			}
			u.report(d)
		}
	}
}

// undefinedSources reports the states that rows of a workflow lead from and that do not exist, or have no steps.
func (u *unit) undefinedSources(x *machine) {
	left := ir.Where(x.States, func(s *ir.State) bool { return !s.End || len(s.Body.Steps()) > 0 })
	sources := ir.Map(left, func(s *ir.State) string { return s.Name.Value })
	for _, row := range x.Machine.Rows() {
		name := row.From.Value
		if row.From.State != nil || row.FromAny() || name == "" {
			continue
		}
		if x.byName[name] != nil {
			u.report(diag.New(diag.UndefinedState, row.From.Span, "state %q is an end state without steps: no row leaves it", name).
				Note(x.byName[name].Name.Span, "%q is an end state", name))
			continue
		}
		d := diag.New(diag.UndefinedState, row.From.Span, "state %q is not defined in machine %q", name, x.name())
		u.report(noteAll(suggestUsed(d, name, append(sources, ir.CatchAll), x.isUsed), noSpan, "state", sources))
	}
}

// isUsed reports whether more than a name of the source says that a state of a workflow is called so.
func (x *machine) isUsed(name string) bool {
	return name == ir.CatchAll || x.usesState(name) || slices.ContainsFunc(x.Machine.Rows(), func(row *ir.Row) bool { return row.From.Value == name })
}

// endWords are targets with which people end a machine elsewhere.
var endWords = []string{"end", "exit", "stop", "finish", "none", "nil", "terminal"}

func (x *machine) undefinedState(u *unit, ref ir.Ref) *diag.Diagnostic {
	d := diag.New(diag.UndefinedState, ref.Span, "state %q is not defined in machine %q", ref.Value, x.name())
	switch near := x.resolve(ref); {
	case near != nil && (near.Agent != nil || len(x.ledTo(near)) > 0):
		d.Suggest(ref.Value, []string{near.Name.Value})
	case near != nil: // of the two, either can be misspelled
		d.Guess(ref.Value, []string{near.Name.Value})
	case x.task != nil:
		d.WithHint("add it to the states, or to end_states if the machine ends there")
	case u.agents[ref.Value] != nil && !x.driven():
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

// noteStates says which states there are, at the one that ref most likely means, else at the first.
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

// findMisspelled finds the states whose own name is the mistake, and not the references that lead to its neighbour: there
// one diagnostic at the state is for all of them. That is so where
//
//   - the state wants an agent and has none, and the neighbour is an agent without a state;
//   - nothing leads to the state, it lacks no agent, and either two references agree on the neighbour, or the state is a
//     marker and the neighbour an agent.
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
		if x.wantsAgent(s) {
			if near, ok := u.nearestAgent(s.Name.Value); ok && dangling[near] != nil {
				x.misspell(s, near, dangling[near])
			}
		}
	}
	for _, name := range names {
		s := x.resolve(dangling[name][0])
		if s == nil || len(x.ledTo(s)) > 0 || x.wantsAgent(s) {
			continue
		}
		if len(dangling[name]) > 1 || s.Marker() && u.agents[name] != nil && !x.driven() {
			x.misspell(s, name, dangling[name])
		}
	}
}

// wantsAgent reports whether s has to run an agent and has none.
func (x *machine) wantsAgent(s *ir.State) bool { return !x.driven() && !s.Terminal() && s.Agent == nil }

// misspell notes that refs, which say name, mean s.
func (x *machine) misspell(s *ir.State, name string, refs []ir.Ref) {
	if x.misspelled[name] != nil || x.ledBy[s] != nil {
		return
	}
	x.misspelled[name], x.meant[name], x.ledBy[s] = s, s, refs
}

// noteLedBy says what leads to a state under another name.
func (x *machine) noteLedBy(d *diag.Diagnostic, s *ir.State) {
	noteEach(d, x.ledBy[s], "and so on, %d more", func(ref ir.Ref) { d.Note(ref.Span, "%q is what leads here", ref.Value) })
}
