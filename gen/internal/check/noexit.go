package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// noExit finds closed groups of states: once the machine is in one it can neither leave it nor end.
// A group is reported once, at its first state, with the shortest way into it. States that only
// lead into a group are its consequence, and a group that no way leads into is an unreachable one.
// A gate ends where its agent may finish. A machine that others drive need not end: no state of it
// costs anything, and services, connections and devices have no end.
var noExit = Pass{Name: "no-exit", run: func(u *unit) {
	for _, x := range slices.Concat(u.machines, u.workMachines) {
		if x.gate != nil && (!x.places(ir.FinishAction) || x.start() != nil && x.start().Marker()) {
			continue // this is ungated-tool or undefined-initial
		}
		for _, stuck := range x.flow.Stuck() {
			u.report(x.noExit(stuck))
		}
	}
	u.endedGates()
	u.loopsWithoutExit()
}}

func (x *machine) noExit(stuck flow.Stuck) *diag.Diagnostic {
	group := stuck.States
	names := ir.Map(group, func(s *flow.State) string { return s.Name.Value })
	in := "state " + quoted(names)
	if len(group) > 1 {
		in = "one of the states " + quoted(names)
	}
	if x.gate != nil {
		d := diag.New(diag.NoExit, group[0].Name.Span, "agent %q cannot finish once its gate is in %s", x.name(), in).
			WithHint("give %s a row for finish, or one that leads to a state that has it", plural(len(group), "it", "one of them"))
		return x.noteWay(d, group)
	}
	d := diag.New(diag.NoExit, group[0].Name.Span, "machine %q cannot end once it is in %s", x.name(), in)
	if x.task != nil {
		if !x.isCertainFailure(group) {
			d.Message += ", unless a step fails"
			d.Warn()
		}
		d.WithHint("give %s a row to an end state", plural(len(group), "it", "one of them"))
		return x.noteWay(d, group)
	}
	d.WithHint("give %s a row to ~ or to a state that is null", plural(len(group), "it", "one of them"))
	if stuck.Site != nil {
		d.Note(placeOf(stuck.Site.Around.PatternAt, stuck.Site.Around.Name), "%s takes only %s, which lead on here",
			where(stuck.Site), quotedOr(stuck.Site.Rule.Keys))
	}

	return x.noteWay(noteDeadRows(d, group), group)
}

// isCertainFailure reports whether each run of the workflow that enters a group of states fails: the machine is a step at the top
// without a fallback, and no row leads out of the group when a step fails.
func (x *machine) isCertainFailure(group []*flow.State) bool {
	top := x.agent.Node.(*ir.Workflow).Body.Tasks

	return slices.Contains(top, x.task) && x.task.Fallback == nil && !slices.ContainsFunc(group, func(s *flow.State) bool {
		return slices.ContainsFunc(s.Moves, func(move *flow.Move) bool {
			return isFailureRow(move) && !slices.Contains(group, move.To)
		})
	})
}

// isFailureRow reports whether a move is a row on failure that can be taken.
func isFailureRow(move *flow.Move) bool {
	return move.Row != nil && move.Row.Key.Value == ir.OnFailure && move.Dead == flow.Alive
}

// noteDeadRows shows the rows that would lead out of a group if they were ever taken.
func noteDeadRows(d *diag.Diagnostic, group []*flow.State) *diag.Diagnostic {
	for _, s := range group {
		for _, move := range s.Moves {
			if move.Dead == flow.Alive || move.To != nil && slices.Contains(group, move.To) {
				continue
			}
			if len(d.Related) == maxListed {
				return d
			}
			d.Note(move.Key().Span, "the row %q is never taken", move.Key().Value)
		}
	}

	return d
}

// loopsWithoutExit finds loops that nothing ends but their limit, which is a failure. One among the steps at the
// top is an error: every run of the workflow reaches it, and fails.
func (u *unit) loopsWithoutExit() {
	u.eachTask(func(w *ir.Workflow, t *ir.Task) {
		loop, isLoop := t.Do.(*ir.Loop)
		if !isLoop || loop.Each() || w.Partial {
			return
		}
		var d *diag.Diagnostic
		switch runs := words.Count(loop.Max, "time"); {
		case loop.Exit == nil && loop.Func == nil:
			d = diag.New(diag.NoExit, t.Name.Span, "loop %q has no exit: it fails after its steps have run %s", t.Name.Value, runs).
				WithHint("add a condition that ends it: exit_expression: \"…\"")
		case loop.Exit != nil && u.flow.Endless(t) && canHold(loop.Exit.Root):
			d = diag.New(diag.NoExit, t.Name.Span, "loop %q always fails: its exit condition is still false after its steps have run %s", t.Name.Value, runs).
				Note(loop.Exit.Text.Span, "the exit is %q", loop.Exit.Text.Value)
		default:
			return
		}
		if !slices.Contains(w.Body.Tasks, t) {
			d.Warn()
		}
		u.report(d)
	})
}

// endedGates finds rows of gates that end the gate without ending its agent, which may not even finish then.
func (u *unit) endedGates() {
	u.eachState(func(x *machine, s *ir.State) {
		if _, anywhere := x.inUngated(ir.FinishAction); x.gate == nil || !x.places(ir.FinishAction) || anywhere {
			return
		}
		for _, row := range s.Rows {
			if row.End && row.Key.Value != ir.FinishAction {
				u.report(diag.New(diag.NoExit, row.Key.Span, "agent %q cannot finish once it has called %q in state %q: its gate ends there",
					x.name(), row.Key.Value, s.Name.Value).
					WithHint("only finish leads to ~: lead to a state that has a row for it"))
			}
		}
	})
}

// noteWay adds to d the shortest way into a group of states, at its last step. Without one, because
// it is not known where the machine starts or where a state leads, d stays as it is.
func (x *machine) noteWay(d *diag.Diagnostic, group []*flow.State) *diag.Diagnostic {
	reached := ir.Where(group, func(s *flow.State) bool { return s.Reached })
	if len(reached) == 0 {
		return d
	}
	first := slices.MinFunc(reached, func(a, b *flow.State) int { return cmp.Compare(a.Steps, b.Steps) })
	if first == x.flow.Start {
		return d.Note(x.Initial.Span, "the machine starts in %q", first.Name.Value)
	}
	path := first.Path()
	if len(path) == 0 {
		return d
	}

	return d.Note(first.By.Key().Span, "reached by %s", pathTo(path, first))
}

// pathTo writes the path to a state as `draft --needs-work--> critique`; of a long one the beginning
// and the end.
func pathTo(path []*flow.Move, to *flow.State) string {
	parts := ir.Map(path, func(by *flow.Move) string { return by.From.Name.Value + " " + arrow(by.Key().Value) })
	if more := len(parts) - maxListed; more > 0 {
		parts = append(append(parts[:maxListed/2:maxListed/2], fmt.Sprintf("… (%d more) …", more)), parts[len(parts)-maxListed/2:]...)
	}

	return strings.Join(append(parts, to.Name.Value), " ")
}

// arrow writes a transition with its key, of which there is none behind an unconditional state.
func arrow(key string) string {
	if key == "" {
		return "-->"
	}

	return "--" + key + "-->"
}

// canHold reports whether a condition is not called constant anyway.
func canHold(x ir.Expression) bool {
	holds, _ := expr.Judge(x, nil)

	return holds
}
