package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unhandledFailure finds machines of workflows in which a model, a function or another workflow may fail and no row is for
// that, so that the whole run fails. Workflows that run inside of others are passed over, because those may have a row for it,
// and so are machines that something is around which takes a failure for something else; of nested machines the outer one is told.
var unhandledFailure = Pass{Name: "unhandled-failure", run: func(u *unit) {
	var inside []*ir.Agent
	for _, a := range u.program.Agents {
		if _, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
			inside = append(inside, containedAgents(a)...)
		}
	}
	handled := reached(inside, containedAgents)
	for _, a := range u.program.Agents {
		if w, isWorkflow := a.Node.(*ir.Workflow); isWorkflow && !w.Partial && !handled[a] {
			u.unhandledIn(w.Body)
		}
	}
}}

func (u *unit) unhandledIn(p *ir.Pipeline) {
	if p == nil {
		return
	}
	for _, t := range p.Tasks {
		if t.Fallback != nil {
			continue
		}
		if x := u.workMachineOf[t]; x != nil {
			x.unhandled(u)
			continue
		}
		for _, inside := range passingOn(t) {
			u.unhandledIn(inside)
		}
	}
}

// passingOn returns the pipelines of a step whose failures are the step's.
func passingOn(t *ir.Task) []*ir.Pipeline {
	switch do := t.Do.(type) {
	case *ir.Fork:
		if do.Ignore {
			return nil
		}
	case *ir.Machine:
		var inside []*ir.Pipeline
		for _, s := range hops.Of(do).States {
			if !s.End && !handles(s) {
				inside = append(inside, s.Body)
			}
		}
		return inside
	}

	return t.Pipelines()
}

// handles reports whether a row is for a failure of a state.
func handles(s *hops.State) bool {
	return slices.ContainsFunc(s.Rows, func(row *ir.Row) bool { return row.Key.Value == ir.OnFailure })
}

// unhandled reports the states of x that can fail and have no row for that.
func (x *workMachine) unhandled(u *unit) {
	var states []*hops.State
	for _, s := range x.States {
		if !s.End && !handles(s) && calls(s.Body) {
			states = append(states, s)
		}
	}
	if len(states) == 0 {
		return
	}
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = s.Name.Value
	}
	u.report(diag.New(diag.UnhandledFailure, states[0].Name.Span, "%s %s of machine %q can fail, and no row is for that: the run fails with %s",
		plural(len(states), "state", "states"), quoted(names), x.name(), plural(len(states), "it", "them")).
		WithHint("add a row such as %s", x.failureRow(names)))
}

// failureRow is a row for the failures of some states.
func (x *workMachine) failureRow(states []string) string {
	from := `"*"`
	if len(states) == 1 {
		from = states[0]
	}
	to := "STATE"
	for _, s := range x.States {
		if lower := strings.ToLower(s.Name.Value); s.End && strings.Contains(lower, "fail") || strings.Contains(lower, "error") {
			to = s.Name.Value
		}
	}

	return fmt.Sprintf("{from: %s, on: failure, to: %s}", from, to)
}

// calls reports whether a step of a pipeline calls something that can fail, and its failure is the pipeline's.
func calls(p *ir.Pipeline) bool {
	if p == nil {
		return false
	}
	for _, t := range p.Tasks {
		last := t
		for last.Fallback != nil {
			last = last.Fallback
		}
		if taskCalls(last) {
			return true
		}
	}

	return false
}

func taskCalls(t *ir.Task) bool {
	switch do := t.Do.(type) {
	case *ir.UseAgent, *ir.UseContained, *ir.UseFunc:
		return true
	case *ir.UseBuiltin:
		step, _ := builtin.StepByName(do.Builtin)
		return step.Tool != ""
	case *ir.Import:
		return do.OnFailure == ir.FailureAbort
	}

	return slices.ContainsFunc(passingOn(t), calls)
}
