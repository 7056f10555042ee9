package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// retryUnsafe finds steps that are tried again with what may have acted on the world before it failed: a function of the user,
// or a tool that acts outside and is not idempotent. Nothing is tried again unless a step says so, but for models.
var retryUnsafe = Pass{Name: "retry-unsafe", run: func(u *unit) {
	effects := &effects{of: map[*ir.Agent]string{}}
	u.eachTask(func(_ *ir.Workflow, t *ir.Task) {
		if t.Retries == 0 {
			return
		}
		if what := effects.in([]ir.Op{t.Do}); what != "" {
			u.report(diag.New(diag.RetryUnsafe, placeOf(ir.Text{Span: t.RetriesAt}, t.Name), "step %q is tried again when it fails, and %s may have done something by then",
				t.Name.Value, what).WithHint("leave max_retries out, or make sure that doing it twice does no harm"))
		}
	})
}}

// effects finds what acts on the world.
type effects struct {
	// of are the answers for agents; an agent that is being looked at has none.
	of map[*ir.Agent]string
}

// in returns what in a body acts on the world; "" if nothing does.
func (e *effects) in(body []ir.Op) (what string) {
	ir.Walk(body, func(op ir.Op) {
		if what == "" {
			what = e.op(op)
		}
	})

	return what
}

func (e *effects) op(op ir.Op) string {
	switch do := op.(type) {
	case *ir.UseFunc:
		return fmt.Sprintf("function %q", do.Func.Name.Value)
	case *ir.UseBuiltin:
		if step, _ := builtin.StepByName(do.Builtin); step.ChangesWorld() {
			return fmt.Sprintf("%q", do.Builtin)
		}
	case *ir.Run:
		if do.Agent != nil {
			return e.agent(do.Agent.Agent)
		}
	case *ir.Import:
		return e.agent(do.Agent.Agent)
	}

	return ""
}

func (e *effects) agent(a *ir.Agent) string {
	what, known := e.of[a]
	if a == nil || known {
		return what
	}
	e.of[a] = ""
	if _, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
		what = e.in(a.Body())
	} else {
		what = e.tools(a)
	}
	e.of[a] = what

	return what
}

// tools returns the first tool of an agent, or of one that it runs, that acts outside and is not idempotent.
func (e *effects) tools(a *ir.Agent) string {
	for _, step := range a.Conversations() {
		for _, use := range step.Skills() {
			if use.Skill == nil {
				continue
			}
			for _, ref := range use.Skill.Tools {
				if ref.Tool != nil && ref.Tool.Effect == ir.External && !ref.Tool.Idempotent {
					return fmt.Sprintf("tool %q", ref.Tool.Name.Value)
				}
			}
		}
	}
	for _, ref := range a.Contained() {
		if what := e.agent(ref.Agent); what != "" {
			return what
		}
	}

	return ""
}
