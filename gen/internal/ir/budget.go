package ir

import (
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Budget is what may be spent at most, by an agent or a run and by all that it starts. What is 0 has no limit; one of them is
// not.
type Budget struct {
	// Tokens of models, input and output together.
	Tokens int
	// USD is what models may cost, in US dollars.
	USD float64
	// Calls of models. CallsAt is the place of the limit.
	Calls   int
	CallsAt source.Span
	// Time in which a person is waited for does not count.
	Time time.Duration
}

// LimitsMoney reports whether the budget limits what models may cost. A nil budget limits nothing.
func (b *Budget) LimitsMoney() bool { return b != nil && b.USD > 0 }

// Priced returns the conversations and the agents for which a step of the agent limits money, each
// once, in the order of the source. A step limits those of all steps inside of it, too.
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
