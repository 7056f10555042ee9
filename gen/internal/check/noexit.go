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
			u.report(u.noExit(x, stuck))
		}
	}
	u.endedGates()
	u.loopsWithoutExit()
}}

func (u *unit) noExit(x *machine, stuck flow.Stuck) *diag.Diagnostic {
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
		u.judgeStuck(d, x, group)
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

// judgeStuck says of a machine of a workflow that cannot end whether a failure would end it. It is an error if none does, and each
// run that gets there fails with it.
func (u *unit) judgeStuck(d *diag.Diagnostic, x *machine, group []*flow.State) {
	w := x.agent.Node.(*ir.Flow)
	if !x.flow.NeverEndsFrom(group) {
		unlessFails(d, u.flow.FailureThatFrees(w, x.flow, group))
		return
	}
	if !u.failsAll(w, x.task) {
		d.Warn()
	}
}

// unlessFails makes a warning of a diagnostic, because the failure of a step would change what it says; nil for one of several.
func unlessFails(d *diag.Diagnostic, cause *ir.Task) {
	d.Warn()
	if cause == nil {
		d.Message += ", unless a step fails"
		return
	}
	d.Message += fmt.Sprintf(", unless step %q fails", cause.Name.Value)
}

// failsAll reports whether each run of a workflow fails that reaches one of its steps, which never ends well: the step has no fallback
// and is at the top, or in steps that never end well either.
func (u *unit) failsAll(w *ir.Flow, t *ir.Task) bool {
	if t.Fallback != nil {
		return false
	}
	around, isInside := tasksAround(w.Body, t)

	return isInside && !slices.ContainsFunc(around, func(outer *ir.Task) bool { return !u.flow.NeverEnds(outer) })
}

// tasksAround returns the tasks in which a task is; isInside is false where it is not in a pipeline, or is a fallback there.
func tasksAround(p *ir.Pipeline, t *ir.Task) (around []*ir.Task, isInside bool) {
	for _, outer := range p.Steps() {
		if outer == t {
			return nil, true
		}
		for _, body := range outer.Pipelines() {
			if around, isInside = tasksAround(body, t); isInside {
				return append(around, outer), true
			}
		}
	}

	return nil, false
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

// loopsWithoutExit finds loops that nothing ends but their limit, which is a failure. It is an error where each run that reaches one
// fails.
func (u *unit) loopsWithoutExit() {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			loop, isLoop := t.Do.(*ir.Loop)
			if !isLoop || loop.Each() {
				return
			}
			d := u.loopWithoutExit(t, loop)
			switch {
			case d == nil && u.flow.NeverEnds(t) && u.failsAll(w, t) && loop.Exit != nil:
				u.refuseConstant(t, loop.Exit)
				return
			case d == nil:
				return
			case loop.Exit != nil && !u.flow.NeverEnds(t):
				unlessFails(d, u.flow.FailureThatEnds(w, t))
			case !u.failsAll(w, t):
				d.Warn()
			}
			u.report(d)
		})
	})
}

// refuseConstant makes an error of what has been found in a condition that is always the same, because nothing else ends a step.
func (u *unit) refuseConstant(t *ir.Task, condition *ir.Formula) {
	for _, d := range u.list.Sorted() {
		if d.Check == diag.ConstantGuard && within(d.Span, condition.Text.Span) {
			d.Severity = diag.Error
			d.Note(t.Name.Span, "step %q fails in every run because of it", t.Name.Value)
		}
	}
}

// blockedWorkflows finds workflows that do not end, or only if a step fails, for a reason that no other pass has found.
func (u *unit) blockedWorkflows() {
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		blocked := u.flow.Blocked(w)
		if len(blocked) == 0 || slices.ContainsFunc(blocked, u.saysWhyBlocked) {
			return
		}
		t := blocked[0]
		d := diag.New(diag.NoExit, t.Name.Span, "step %q of workflow %q never ends well", t.Name.Value, a.Name.Value)
		if u.flow.EndingOf(a) == flow.EndsByFailure {
			unlessFails(d, u.flow.FailureThatEnds(w, t))
		}
		u.report(d)
	})
}

// endChecks are the checks that say why a step does not end well.
var endChecks = []*diag.Check{diag.NoExit, diag.BeyondBounds, diag.UnroutedKey, diag.NoElse}

// saysWhyBlocked reports whether it has been found why a step does not end well: something in the step, or the workflow that it runs.
func (u *unit) saysWhyBlocked(t *ir.Task) bool {
	if u.flow.RunsBlocked(t) {
		return true
	}

	return slices.ContainsFunc(u.list.Sorted(), func(d *diag.Diagnostic) bool {
		return (slices.Contains(endChecks, d.Check) || d.IsError()) && within(d.Span, t.Span)
	})
}

// loopWithoutExit is the diagnostic of a loop that nothing ends but its limit; nil for any other one. An exit that is always the same
// has been found.
func (u *unit) loopWithoutExit(t *ir.Task, loop *ir.Loop) *diag.Diagnostic {
	runs := words.Count(loop.Max, "time")
	switch {
	case loop.OnBound == ir.BoundDone:
		return nil
	case loop.Exit == nil && loop.Func == nil:
		return diag.New(diag.NoExit, t.Name.Span, "loop %q has no exit: it fails after its steps have run %s", t.Name.Value, runs).
			WithHint("add a condition that ends it: exit_expression: \"…\"")
	case loop.Exit != nil && u.flow.Endless(t) && canHold(loop.Exit.Root):
		return diag.New(diag.NoExit, t.Name.Span, "loop %q always fails: its exit condition is still false after its steps have run %s", t.Name.Value, runs).
			Note(loop.Exit.Text.Span, "the exit is %q", loop.Exit.Text.Value)
	}

	return nil
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
