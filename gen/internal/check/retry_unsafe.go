package check

import (
	"cmp"
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// retryUnsafe finds retried steps that may have had an effect before they failed: a function of the
// user or a tool that is external and not idempotent. Only models are retried by default.
var retryUnsafe = Pass{Name: "retry-unsafe", run: func(u *unit) {
	u.eachTask(func(_ *ir.Flow, t *ir.Task) {
		if t.Retries == 0 {
			return
		}
		if what := outsideEffect([]ir.Op{t.Do}); what != "" {
			u.report(diag.New(diag.RetryUnsafe, placeOf(ir.Text{Span: t.RetriesAt}, t.Name), "step %q is retried when it fails, although %s may have had an effect by then",
				t.Name.Value, what).WithHint("remove max_retries, or declare `idempotent: true` if a repeated call does no harm"))
		}
	})
}}

// outsideEffect describes an operation of a body, or of the agents that it runs, that acts on the
// world. It returns "" if there is none.
func outsideEffect(body []ir.Op) string {
	what, agents := outsideStep(body)
	for _, a := range ir.ReachableFrom(agents...) {
		if what == "" {
			what, _ = outsideStep(a.Body())
		}
		what = cmp.Or(what, outsideTool(a))
	}

	return what
}

// outsideStep returns the first step of a body that acts on the world itself, and the agents that
// the body runs.
func outsideStep(body []ir.Op) (what string, agents []*ir.Agent) {
	ir.Walk(body, func(op ir.Op) {
		switch do := op.(type) {
		case *ir.UseFunc:
			if do.Func.IsUnsafeToRetry() {
				what = cmp.Or(what, fmt.Sprintf("function %q", do.Func.Name.Value))
			}
		case *ir.UseBuiltin:
			if step, _ := builtin.StepByName(do.Builtin); step.ChangesWorld() {
				what = cmp.Or(what, fmt.Sprintf("%q", do.Builtin))
			}
		}
		if ref := ir.AgentOf(op); ref != nil && ref.Agent != nil {
			agents = append(agents, ref.Agent)
		}
	})

	return what, agents
}

// outsideTool returns the first external tool of an agent that is not idempotent.
func outsideTool(a *ir.Agent) (what string) {
	for _, step := range a.Conversations() {
		eachUnlocked(step.Skills(), func(_ *ir.Skill, ref ir.ToolRef) {
			if ref.Tool != nil && ref.Tool.IsUnsafeToRetry() {
				what = cmp.Or(what, fmt.Sprintf("tool %q", ref.Tool.Name.Value))
			}
		})
	}

	return what
}
