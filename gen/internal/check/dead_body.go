package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// deadBody finds steps that never run: of an end state, where a machine ends, and of a map over a
// list that is always empty.
var deadBody = Pass{Name: "dead-body", run: func(u *unit) {
	for _, x := range u.workMachines {
		for _, s := range x.States {
			n := len(s.Body.Steps())
			if !s.End || n == 0 {
				continue
			}
			u.report(diag.New(diag.DeadBody, s.Name.Span, "the %s of end state %q never %s: machine %q ends when it reaches that state",
				plural(n, "step", "steps"), s.Name.Value, plural(n, "runs", "run"), x.name()).
				WithHint("let %s run in a state before it, or write %s: []", plural(n, "it", "them"), s.Name.Value).
				Note(s.EndAt, "%q is an end state", s.Name.Value))
		}
	}
	u.reportEmptyMaps()
}}

// reportEmptyMaps reports maps with steps whose list is always empty.
func (u *unit) reportEmptyMaps() {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			loop, isLoop := t.Do.(*ir.Loop)
			if !isLoop || !loop.IsForEach() || len(loop.Body.Steps()) == 0 {
				return
			}
			if maySome, _ := u.flow.LengthOf(loop); maySome || u.flow.NeverEnds(t) {
				return
			}
			u.report(diag.New(diag.DeadBody, t.Name.Span, "the steps of map %q never run: %s is always empty",
				t.Name.Value, loop.Over.(*ir.Access).Written))
		})
	})
}
