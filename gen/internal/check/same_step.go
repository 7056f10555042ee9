package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// sameSteps finds a second step of one name in a sequence that takes the place of an output which
// nothing has read: what reads the name later may mean either. A step that goes on with the output
// of the first, or behind something that reads it, counts up on purpose.
func (u *unit) sameSteps() {
	for _, a := range u.program.Agents {
		w, isWorkflow := a.Node.(*ir.Workflow)
		if !isWorkflow || w.Partial {
			continue
		}
		ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
			last := map[*ir.Output]int{}
			for i, t := range p.Tasks {
				before, known := last[t.Output]
				last[t.Output] = i
				if known && u.reads(a).outputs[t.Output] && !readsOutput(p.Tasks[before+1:i+1], t.Output) && !takesData(p.Tasks[before+1]) {
					u.report(diag.New(diag.DuplicateName, t.Name.Span, "a second step %q in %s: what reads steps.%s gets this output, and nothing the first",
						t.Name.Value, whereOf(p), t.Name.Value).Warn().WithHint("give it another name").
						Note(p.Tasks[before].Name.Span, "%q is the first", t.Name.Value))
				}
			}
		})
	}
}

// whereOf says which pipeline a step is in.
func whereOf(p *ir.Pipeline) string {
	if p.What == "" {
		return "this workflow"
	}

	return p.What
}

// readsOutput reports whether an expression of some tasks, or of one inside of them, names an
// output.
func readsOutput(tasks []*ir.Task, o *ir.Output) bool {
	found := false
	names := func(x ir.Expression) {
		access, isAccess := x.(*ir.Access)
		found = found || isAccess && (access.Output == o || access.Root == ir.RootSteps)
	}
	ir.WalkTasks(&ir.Pipeline{Tasks: tasks}, func(t *ir.Task) {
		t.WalkExpressions(names)
		if ask, asks := t.Do.(*ir.Run); asks && ask.Step != nil {
			ask.Step.Template.Walk(names)
		}
	})

	return found
}
