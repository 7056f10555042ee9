package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
)

// implicitEnd finds states of a workflow that end their machine although end_states does not list
// them: no row leads from them, and none of their steps can set next_state. A forgotten row would
// make the run a success that skips the remaining states.
var implicitEnd = Pass{Name: "implicit-end", run: func(u *unit) {
	for _, x := range u.workMachines {
		if x.Partial {
			continue
		}
		for _, s := range x.flow.States {
			if !isImplicitEnd(s) {
				continue
			}
			u.report(diag.New(diag.ImplicitEnd, s.Name.Span,
				"machine %q ends after state %q, which end_states does not list: no row leads from it, and none of its steps sets next_state",
				x.name(), s.Name.Value).
				WithHint("add a row such as {from: %s, on: success, to: %s}", s.Name.Value, x.endOrState()))
		}
	}
}}

// isImplicitEnd reports whether a machine that enters the state certainly ends there, although
// end_states does not list it.
func isImplicitEnd(s *flow.State) bool {
	return s.Reached && s.Stops && !s.Anywhere && len(s.State.Next) == 0
}

// endOrState returns the name of the first end state, or STATE.
func (x *machine) endOrState() string {
	for _, s := range x.States {
		if s.End {
			return s.Name.Value
		}
	}

	return "STATE"
}
