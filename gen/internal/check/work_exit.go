package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// noWorkExit finds closed groups of states in machines of workflows: once a machine is in one it reaches no end state. A state that
// no row leads out of is one, where the machine fails with a StalledError. That a row from "*" leads out of all states when a step fails is no way to end.
func (u *unit) noWorkExit() {
	for _, x := range u.workMachines {
		if x.Partial {
			continue
		}
		seen := x.reachable()
		for _, group := range closedIn(x.onward, x.endsIn()) {
			if seen[group[0]] {
				u.report(x.noExit(group))
			}
		}
	}
}

// endsIn marks the states in which the machine can end, and those from which any other may be next.
func (x *workMachine) endsIn() []bool {
	ends := make([]bool, len(x.States))
	for i, s := range x.States {
		ends[i] = s.End || s.Open || x.anywhere[i]
	}

	return ends
}

func (x *workMachine) noExit(group []int) *diag.Diagnostic {
	where := "state " + quoted(x.namesOf(group))
	if len(group) > 1 {
		where = "one of the states " + quoted(x.namesOf(group))
	}
	d := diag.New(diag.NoExit, x.States[group[0]].Name.Span, "machine %q cannot end once it is in %s, unless a step fails", x.name(), where)

	return d.Warn().WithHint("give %s a row to an end state", plural(len(group), "it", "one of them"))
}

func (x *workMachine) namesOf(states []int) []string {
	names := make([]string, len(states))
	for i, state := range states {
		names[i] = x.names[state]
	}

	return names
}

// loopsWithoutExit finds loops that nothing ends but their limit, which is a failure.
func (u *unit) loopsWithoutExit() {
	u.eachTask(func(w *ir.Workflow, t *ir.Task) {
		loop, isLoop := t.Do.(*ir.Repeat)
		if !isLoop || w.Partial || loop.Exit != nil || loop.Func != nil {
			return
		}
		d := diag.New(diag.NoExit, t.Name.Span, "loop %q has no exit: it fails when its steps have run %s", t.Name.Value, times(loop.Max))
		u.report(d.Warn().WithHint("say when it is over: exit_expression: \"…\""))
	})
}
