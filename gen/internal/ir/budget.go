package ir

import (
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Budget limits what an agent or a run may spend, together with all that it starts. A field of 0 is
// no limit. At least one field is set.
type Budget struct {
	// Tokens of models, input and output together.
	Tokens int
	// USD is what models may cost, in US dollars.
	USD float64
	// Calls of models. CallsAt is the position of the limit.
	Calls   int
	CallsAt source.Span
	// Time does not include the time in which the run waits for a person.
	Time time.Duration
}

// LimitsMoney reports whether the budget limits what models may cost. A nil budget limits nothing.
func (b *Budget) LimitsMoney() bool { return b != nil && b.USD > 0 }

// Priced returns the conversations and the agents for which a step of the agent limits money, each
// once, in source order. A step also limits those of the steps inside of it.
func (a *Agent) Priced() []string {
	workflow, isWorkflow := WorkflowOf(a.Node)
	if !isWorkflow {
		return nil
	}
	var priced []string
	add := func(op Op) {
		if run, isRun := op.(*Run); isRun && run.Step != nil {
			priced = append(priced, run.Step.Label(a.Name.Value))
		} else if ref := AgentOf(op); ref != nil && ref.Agent != nil {
			priced = append(priced, ref.Agent.Name.Value)
		}
	}
	WalkTasks(workflow.Body, func(t *Task) {
		if t.USD > 0 {
			Walk([]Op{t.Do}, add)
		}
	})

	return Unique(priced)
}
