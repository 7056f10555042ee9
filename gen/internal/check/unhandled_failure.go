package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// unhandledFailure finds machines of workflows in which a model, a function or another workflow may
// fail without a row for failures, so that the whole run fails. It skips workflows inside others,
// which may have such a row, and machines whose failures a surrounding step handles. Of nested
// machines it reports the outer one.
var unhandledFailure = Pass{Name: "unhandled-failure", run: func(u *unit) {
	var inside []*ir.Agent
	for _, a := range u.program.Agents {
		if _, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			inside = append(inside, containedAgents(a)...)
		}
	}
	handled := ir.SetOf(ir.ReachableFrom(inside...))
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		if !handled[a] {
			u.checkFailuresIn(w.Body)
		}
	})
}}

func (u *unit) checkFailuresIn(p *ir.Pipeline) {
	for _, t := range p.Steps() {
		if t.Fallback != nil || u.flow.NeverBegins(t) {
			continue
		}
		if m, isMachine := t.Do.(*ir.Machine); isMachine {
			u.reportUnhandled(t, m)
			continue
		}
		for _, inside := range u.propagatingPipelines(t) {
			u.checkFailuresIn(inside)
		}
	}
}

// propagatingPipelines returns the pipelines of a step whose failures fail the step.
func (u *unit) propagatingPipelines(t *ir.Task) []*ir.Pipeline {
	switch do := t.Do.(type) {
	case *ir.Parallel:
		if do.Failed == ir.FailureIgnored {
			return nil
		}
	case *ir.Machine:
		failing := ir.Where(u.flow.Machine(do).States, isUnhandled)
		return ir.Map(failing, func(s *flow.State) *ir.Pipeline { return s.Body })
	}

	return t.Pipelines()
}

// pipelineFailsWith reports whether the failure of a step somewhere in a pipeline fails the pipeline:
// nothing around the step handles it, neither a fallback nor a row.
func (u *unit) pipelineFailsWith(p *ir.Pipeline, t *ir.Task) bool {
	for _, step := range p.Steps() {
		for step.Fallback != nil {
			step = step.Fallback
		}
		if step == t {
			return true
		}
		for _, inside := range u.propagatingPipelines(step) {
			if u.pipelineFailsWith(inside, t) {
				return true
			}
		}
	}

	return false
}

// isUnhandled reports whether a state has no row for failures.
func isUnhandled(s *flow.State) bool { return !s.End && len(s.TriedOn(ir.OnFailure)) == 0 }

// reportUnhandled reports the states of the machine m that can fail without a row for it.
func (u *unit) reportUnhandled(t *ir.Task, m *ir.Machine) {
	var first source.Span
	var names []string
	for _, s := range u.flow.Machine(m).States {
		if isUnhandled(s) && s.CanEndWith(ir.OnFailure) && u.pipelineCanFail(s.Body) {
			if names == nil {
				first = s.Name.Span
			}
			names = append(names, s.Name.Value)
		}
	}
	if names == nil {
		return
	}
	u.report(diag.New(diag.UnhandledFailure, first, "%s %s of machine %q can fail, and no row is for that: the run fails with %s",
		plural(len(names), "state", "states"), quoted(names), t.Name.Value, plural(len(names), "it", "them")).
		WithHint("add a row such as %s", failureRow(m, names)))
}

// failureRow writes a row for the failures of some states of a machine.
func failureRow(m *ir.Machine, states []string) string {
	from := `"*"`
	if len(states) == 1 {
		from = states[0]
	}
	to := "STATE"
	for _, s := range m.States {
		if lower := strings.ToLower(s.Name.Value); s.End && strings.Contains(lower, "fail") || strings.Contains(lower, "error") {
			to = s.Name.Value
		}
	}

	return fmt.Sprintf("{from: %s, on: failure, to: %s}", from, to)
}

// pipelineCanFail reports whether a step of a pipeline calls something whose failure fails the
// pipeline.
func (u *unit) pipelineCanFail(p *ir.Pipeline) bool {
	return slices.ContainsFunc(p.Steps(), u.taskCanFail)
}

func (u *unit) taskCanFail(t *ir.Task) bool {
	if u.flow.NeverBegins(t) {
		return false
	}
	for t.FailureFallback() != nil {
		t = t.FailureFallback()
	}
	if builtin.CanTextFail(t) || t.CanTimeOut() {
		return true
	}
	switch do := t.Do.(type) {
	case *ir.Run:
		return u.flow.RunCanFail(t)
	case *ir.UseFunc:
		return true
	case *ir.UseBuiltin:
		step, _ := builtin.StepByName(do.Builtin)
		return step.Tool != ""
	case *ir.Import:
		return do.OnFailure == ir.FailureAbort && u.flow.ImportCanFail(t)
	case *ir.Ask:
		return do.CanTimeOut()
	case *ir.Receive, *ir.PassOn, *ir.Machine, *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Return:
	}

	return slices.ContainsFunc(u.propagatingPipelines(t), u.pipelineCanFail)
}
