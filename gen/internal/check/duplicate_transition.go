package check

import "github.com/agentc-dev/agentc/gen/diag"

// duplicateTransition finds a second row without a guard for a key of a state, and a second row for
// an event of a state in a workflow. It also finds gate rows for ungated actions, which change no
// state.
var duplicateTransition = Pass{Name: "duplicate-transition", run: func(u *unit) {
	u.reportHidden(diag.DuplicateTransition)
	for _, x := range u.machines {
		for _, s := range x.States {
			for _, row := range s.Rows {
				if at, ungated := x.ungatedAction(row.Key.Value); ungated {
					u.report(diag.New(diag.DuplicateTransition, row.Key.Span, "state %q in the gate of agent %q has a row for %q, which is ungated",
						s.Name.Value, x.name(), row.Key.Value).
						WithHint("it would never be chosen").
						Note(at.Span, "%q may be called in every state and changes none", row.Key.Value))
				}
			}
		}
	}
}}
