package check

import (
	"cmp"
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// retryUnsafe finds steps that are tried again with what may have acted on the world before it failed: a function of the user,
// or a tool that acts outside and is not idempotent. Nothing is tried again unless a step says so, but for models.
var retryUnsafe = Pass{Name: "retry-unsafe", run: func(u *unit) {
	u.eachTask(func(_ *ir.Flow, t *ir.Task) {
		if t.Retries == 0 {
			return
		}
		if what := actsOutside([]ir.Op{t.Do}); what != "" {
			u.report(diag.New(diag.RetryUnsafe, placeOf(ir.Text{Span: t.RetriesAt}, t.Name), "step %q is retried when it fails, although %s may have had an effect by then",
				t.Name.Value, what).WithHint("remove max_retries, or make sure that a repeated call does no harm"))
		}
	})
}}

// actsOutside returns what in a body, or in the agents that it runs, acts on the world; "" if nothing does.
func actsOutside(body []ir.Op) string {
	what, agents := stepOutside(body)
	for _, a := range ir.Reached(agents...) {
		if what == "" {
			what, _ = stepOutside(a.Body())
		}
		what = cmp.Or(what, toolOutside(a))
	}

	return what
}

// stepOutside returns the first step of a body that acts on the world itself, and the agents that the body runs.
func stepOutside(body []ir.Op) (what string, agents []*ir.Agent) {
	ir.Walk(body, func(op ir.Op) {
		switch do := op.(type) {
		case *ir.UseFunc:
			what = cmp.Or(what, fmt.Sprintf("function %q", do.Func.Name.Value))
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

// toolOutside returns the first tool of an agent that acts outside and is not idempotent.
func toolOutside(a *ir.Agent) (what string) {
	for _, step := range a.Conversations() {
		eachUnlocked(step.Skills(), func(_ *ir.Skill, ref ir.ToolRef) {
			if ref.Tool != nil && ref.Tool.Effect == ir.External && !ref.Tool.Idempotent {
				what = cmp.Or(what, fmt.Sprintf("tool %q", ref.Tool.Name.Value))
			}
		})
	}

	return what
}
