package check

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
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
	names := make([]string, len(group))
	for i, s := range group {
		names[i] = s.Name.Value
	}
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
		d.Message += ", unless a step fails"
		return x.noteWay(d.Warn().WithHint("give %s a row to an end state", plural(len(group), "it", "one of them")), group)
	}
	d.WithHint("give %s a row to ~ or to a state that is null", plural(len(group), "it", "one of them"))
	if stuck.Site != nil {
		d.Note(placeOf(stuck.Site.Around.PatternAt, stuck.Site.Around.Name), "%s takes only %s, which lead on here",
			where(stuck.Site), quotedOr(stuck.Site.Rule.Keys))
	}

	return x.noteWay(noteDeadRows(d, group), group)
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

// loopsWithoutExit finds loops that nothing ends but their limit, which is a failure.
func (u *unit) loopsWithoutExit() {
	u.eachTask(func(w *ir.Workflow, t *ir.Task) {
		loop, isLoop := t.Do.(*ir.Repeat)
		if !isLoop || w.Partial || loop.Exit != nil || loop.Func != nil {
			return
		}
		d := diag.New(diag.NoExit, t.Name.Span, "loop %q has no exit: it fails when its steps have run %s", t.Name.Value, times(loop.Max))
		u.report(d.Warn().WithHint("say when it is over: exit_expression: \"…\""))
	})
}
