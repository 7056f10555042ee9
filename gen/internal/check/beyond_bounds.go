package check

import (
	"fmt"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// beyondBounds finds agents that cannot end within their limits: a machine whose shortest path to
// an end exceeds max_steps, and a budget with fewer model calls than the shortest run makes. The
// least tokens, time and dollars of a call are unknown at compile time.
var beyondBounds = Pass{Name: "beyond-bounds", run: func(u *unit) {
	for _, x := range slices.Concat(u.machines, u.workMachines) {
		if x.gate == nil && !x.Partial && x.MaxSteps > 0 && x.flow.Steps > x.MaxSteps {
			at := placeOf(ir.Text{Span: x.MaxStepsAt}, x.Initial.Text)
			d := diag.New(diag.BeyondBounds, at, "machine %q cannot end within max_steps = %d: on the shortest path to an end %d states run",
				x.name(), x.MaxSteps, x.flow.Steps)
			switch {
			case x.task == nil:
			case !u.flow.NeverEnds(x.task):
				unlessFails(d, u.flow.FailureThatEnds(x.agent.Node.(*ir.Flow), x.task))
			case !u.failsAll(x.agent.Node.(*ir.Flow), x.task):
				d.Warn()
			}
			u.report(d.WithHint("max_steps: %d is the least", x.flow.Steps).
				Note(x.flow.Nearest.Name.Span, "the path is %s", formatPathTo(x.flow.Nearest.Path(), x.flow.Nearest)))
		}
		for _, s := range x.flow.States {
			if s.Reached && s.Beyond {
				u.report(x.stateBeyondDiagnostic(s))
			}
		}
	}
	for _, a := range u.program.Agents {
		if b := a.Budget; b != nil && b.Calls > 0 && u.flow.Calls(a) > b.Calls {
			u.report(u.callsBeyondDiagnostic(b, a, fmt.Sprintf("%s %q", noun(a), a.Name.Value)))
		}
	}
	u.checkProgramBudget()
}}

// checkProgramBudget compares the program's budget with the calls of the entry points.
func (u *unit) checkProgramBudget() {
	b := u.program.Budget
	if b == nil || b.Calls == 0 {
		return
	}
	for _, a := range u.program.EntryPoints() {
		if !u.flow.Outcomes(a).IsNone() && u.flow.Calls(a) > b.Calls {
			u.report(u.callsBeyondDiagnostic(b, a, fmt.Sprintf("a run of %s %q", noun(a), a.Name.Value)))
			return
		}
	}
}

// stateBeyondDiagnostic describes a state whose keys all leave its machine too few steps to finish.
func (x *machine) stateBeyondDiagnostic(s *flow.State) *diag.Diagnostic {
	return diag.New(diag.BeyondBounds, s.Name.Span,
		"machine %q cannot finish within its bounds with a key that state %q of machine %q takes", s.Agent.Name.Value,
		s.Name.Value, x.name()).
		WithHint("give it more steps or calls, or a shorter path to one of these keys").
		Note(placeOf(s.Agent.PatternAt, s.Agent.Name), "%q is this machine", s.Agent.Name.Value)
}

func (u *unit) callsBeyondDiagnostic(b *ir.Budget, a *ir.Agent, what string) *diag.Diagnostic {
	calls := u.flow.Calls(a)
	d := diag.New(diag.BeyondBounds, b.CallsAt, "%s cannot end within its budget of %s: the shortest run makes %d",
		what, plural(b.Calls, "1 call", fmt.Sprint(b.Calls, " calls")), calls).
		WithHint("calls: %d is the least", calls)
	if x := u.flow.Machine(a.MachineOf()); x != nil && x.Nearest != nil && x.Steps == calls {
		d.Note(x.Nearest.Name.Span, "the path is %s", formatPathTo(x.Nearest.Path(), x.Nearest))
	}

	return d
}
