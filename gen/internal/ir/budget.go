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

// Priced are the conversations and the agents of the steps whose money is limited, each once, in the order of the source.
func (w *Workflow) Priced(name string) []string {
	var priced []string
	WalkTasks(w.Body, func(t *Task) {
		if t.USD == 0 {
			return
		}
		if run, isRun := t.Do.(*Run); isRun && run.Step != nil {
			priced = append(priced, run.Step.Label(name))
		} else if ref := AgentOf(t.Do); ref != nil {
			priced = append(priced, ref.Agent.Name.Value)
		}
	})

	return Unique(priced)
}
