package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
)

// undefinedInitial finds machines that begin in an undefined state, or in a marker, where nothing
// runs.
var undefinedInitial = Pass{Name: "undefined-initial", run: func(u *unit) {
	for _, x := range slices.Concat(u.machines, u.workMachines) {
		switch s := x.Initial.State; {
		case x.Initial.Value == "" || s == nil && x.misspelled[x.Initial.Value] != nil:
			// Reported by the front end, or at the state that is misspelled.
		case s == nil:
			word := "initial"
			if x.task != nil {
				word = "start"
			}
			d := diag.New(diag.UndefinedInitial, x.Initial.Span, "%s state %q is not defined in machine %q", word, x.Initial.Value, x.name())
			if near := x.startState(); near != nil {
				d.Suggest(x.Initial.Value, []string{near.Name.Value})
			}
			u.report(x.noteStates(d, x.Initial))
		case s.IsMarker() && !x.Partial && x.task == nil:
			u.report(x.markerDiagnostic(u))
		}
	}
}}

func (x *machine) markerDiagnostic(u *unit) *diag.Diagnostic {
	name := x.Initial.Value
	if x.gate != nil {
		return diag.New(diag.UndefinedInitial, x.Initial.Span,
			"initial state %q has no rows: agent %q could call nothing and never finish", name, x.name()).
			Note(x.Initial.State.Name.Span, "%q is here", name)
	}
	d := diag.New(diag.UndefinedInitial, x.Initial.Span,
		"initial state %q is a marker: machine %q would end before anything ran", name, x.name())
	at := x.Initial.State.Name.Span
	if x.isDriven() {
		return d.Note(at, "%q has no transitions", name)
	}
	if near, ok := u.nearestAgent(name); ok {
		d.WithHint("did you mean agent %q?", near)
	}

	return d.Note(at, "%q has no transitions, and no agent has its name", name)
}
