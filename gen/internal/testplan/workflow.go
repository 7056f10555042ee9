package testplan

import (
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
)

// Work is what the tests of the machines of a workflow answer when they run a state.
type Work struct {
	// Runs says that states can be run: the context to begin with fits its schema.
	Runs bool
	// Context is that context, as JSON; "" for an empty one.
	Context string
	// Values are as in [Plan]. Results are what functions give, by name, and Answers what people answer, by workflow/step, as JSON,
	// where a schema says what fits.
	Values           map[string][]string
	Results, Answers map[string]string
}

// OfWorkflow returns what the tests of the machines of a workflow answer.
func OfWorkflow(a *ir.Agent) *Work {
	w := &Work{Runs: true, Results: map[string]string{}, Answers: map[string]string{}}
	agents := contained(a)
	w.Values = valuesOf(agents)
	for _, inner := range agents {
		if n, isWorkflow := inner.Node.(*ir.Workflow); isWorkflow {
			ir.WalkTasks(n.Body, w.task)
		}
	}
	if schema := a.Node.(*ir.Workflow).Context; schema != nil {
		context, err := sample.Value(schema, "text")
		w.Context, w.Runs = context, err == nil
	}

	return w
}

// task notes what a step needs an answer of.
func (w *Work) task(t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.UseFunc:
		w.function(do.Func)
	case *ir.Conditional:
		w.function(do.Func)
	case *ir.Repeat:
		w.function(do.Func)
	case *ir.Ask:
		note(w.Answers, do.Answer.Of, do.Answer.Schema)
	}
}

func (w *Work) function(f *ir.Func) {
	if f != nil {
		note(w.Results, f.Name.Value, f.Output)
	}
}

// note notes a value that fits a schema. Where none is found, there is no answer.
func note(values map[string]string, name string, s *ir.Schema) {
	if s == nil {
		return
	}
	if value, err := sample.Value(s, "text"); err == nil {
		values[name] = value
	}
}
