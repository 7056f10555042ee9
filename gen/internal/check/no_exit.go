package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// noExit finds closed groups of states: a machine in one can neither leave it nor end. A group is
// reported once, at its first state, with the shortest path into it. States that only lead into a
// group are a consequence, and a group without a path into it is unreachable. A gate ends where its
// agent may finish. An externally driven machine need not end: its states cost nothing, and
// services, connections and devices have no end.
var noExit = Pass{Name: "no-exit", run: func(u *unit) {
	for _, x := range slices.Concat(u.machines, u.workMachines) {
		if x.gate != nil && (!x.hasGateEntry(ir.FinishAction) || x.startState() != nil && x.startState().IsMarker()) {
			continue // this is ungated-tool or undefined-initial
		}
		for _, stuck := range x.flow.StuckGroups() {
			u.report(u.noExitDiagnostic(x, stuck))
		}
	}
	u.reportEndedGates()
	u.reportEndlessLoops()
}}

func (u *unit) noExitDiagnostic(x *machine, stuck flow.StuckGroup) *diag.Diagnostic {
	group := stuck.States
	names := ir.Map(group, func(s *flow.State) string { return s.Name.Value })
	in := "state " + quoted(names)
	if len(group) > 1 {
		in = "one of the states " + quoted(names)
	}
	if x.gate != nil {
		d := diag.New(diag.NoExit, group[0].Name.Span, "agent %q cannot finish once its gate is in %s", x.name(), in).
			WithHint("give %s a row for finish, or one that leads to a state that has it", plural(len(group), "it", "one of them"))
		return x.notePathInto(d, group)
	}
	d := diag.New(diag.NoExit, group[0].Name.Span, "machine %q cannot end once it is in %s", x.name(), in)
	if x.task != nil {
		u.setStuckSeverity(d, x, group)
		known := len(d.Related)
		x.noteDeadRows(d, group)
		d.WithHint("give %s a row to an end state", plural(len(group), "it", "one of them"))
		if len(d.Related) > known {
			d.WithHint("correct a row that leads on, or give %s one to an end state", plural(len(group), "it", "one of them"))
		}
		return x.notePathInto(d, group)
	}
	d.WithHint("give %s a row to ~ or to a state that is null", plural(len(group), "it", "one of them"))
	if stuck.Site != nil {
		d.Note(placeOf(stuck.Site.Around.PatternAt, stuck.Site.Around.Name), "%s takes only %s, which lead on here",
			describeSite(stuck.Site), quotedOr(stuck.Site.Rule.Keys))
	}

	x.noteDeadRows(d, group)

	return x.notePathInto(d, group)
}

// setStuckSeverity sets the severity for a machine of a workflow that cannot end. It is an error if
// no failure would end the machine and each run that gets there fails.
func (u *unit) setStuckSeverity(d *diag.Diagnostic, x *machine, group []*flow.State) {
	w := x.agent.Node.(*ir.Flow)
	if !x.flow.NeverEndsFrom(group) {
		unlessFails(d, u.flow.FailureThatFrees(w, x.flow, group))
		return
	}
	if !u.failsAll(w, x.task) {
		d.Warn()
	}
}

// unlessFails turns a diagnostic into a warning, because the failure of a step prevents the
// problem. The cause is nil if several steps can fail.
func unlessFails(d *diag.Diagnostic, cause *ir.Task) {
	d.Warn()
	if cause == nil {
		d.Message += ", unless a step fails"
		return
	}
	d.Message += fmt.Sprintf(", unless step %q fails", cause.Name.Value)
}

// failsAll reports whether each run fails that reaches a step which never ends well: the workflow
// fails, and not every step that runs the workflow handles that.
func (u *unit) failsAll(w *ir.Flow, t *ir.Task) bool {
	return u.failsWorkflow(w, t) && u.failsUsers(w)
}

// failsUsers reports whether the failure of a workflow is the failure of some run.
func (u *unit) failsUsers(w *ir.Flow) bool {
	failing := ir.Where(u.program.Agents, func(a *ir.Agent) bool { return isWorkflow(a, w) })
	seen := ir.SetOf(failing)
	for ; len(failing) > 0; failing = failing[1:] {
		users, endsRuns := u.findFailingUsers(failing[0])
		if endsRuns {
			return true
		}
		for _, user := range users {
			if !seen[user] {
				seen[user] = true
				failing = append(failing, user)
			}
		}
	}

	return false
}

func isWorkflow(a *ir.Agent, w *ir.Flow) bool {
	of, isWorkflow := ir.WorkflowOf(a.Node)

	return isWorkflow && of == w
}

// findFailingUsers returns the workflows that fail if an agent does. endsRuns reports whether a run
// begins with the agent, or another kind of agent uses it.
func (u *unit) findFailingUsers(failed *ir.Agent) (users []*ir.Agent, endsRuns bool) {
	isUsed := false
	for _, a := range u.program.Agents {
		uses := slices.ContainsFunc(a.Contained(), func(ref ir.AgentRef) bool { return ref.Agent == failed })
		if !uses || a == failed {
			continue
		}
		isUsed = true
		w, isWorkflow := ir.WorkflowOf(a.Node)
		if !isWorkflow {
			return nil, true
		}
		if u.failsWith(w, failed) {
			users = append(users, a)
		}
	}

	return users, !isUsed || failed == u.program.Entry
}

// failsWith reports whether a workflow fails if an agent does: some step that runs the agent does
// not handle its failure.
func (u *unit) failsWith(w *ir.Flow, failed *ir.Agent) bool {
	fails := false
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		runs := ir.AgentOf(t.Do)
		imported, isImport := t.Do.(*ir.Import)
		isHandled := isImport && imported.OnFailure != ir.FailureAbort
		if runs != nil && runs.Agent == failed && !isHandled {
			fails = fails || u.failsWorkflow(w, t)
		}
	})

	return fails
}

// failsWorkflow reports whether a workflow fails if a step does: the step has no fallback, and all
// steps around it never end well either.
func (u *unit) failsWorkflow(w *ir.Flow, t *ir.Task) bool {
	if t.Fallback != nil {
		return false
	}
	around, isInside := enclosingTasks(w.Body, t)

	return isInside && !slices.ContainsFunc(around, func(outer *ir.Task) bool { return !u.flow.NeverEnds(outer) })
}

// enclosingTasks returns the tasks around a task. isInside is false if the task is not in the
// pipeline or is a fallback.
func enclosingTasks(p *ir.Pipeline, t *ir.Task) (around []*ir.Task, isInside bool) {
	for _, outer := range p.Steps() {
		if outer == t {
			return nil, true
		}
		for _, body := range outer.Pipelines() {
			inner, isBelow := enclosingTasks(body, t)
			if isBelow {
				return append(inner, outer), true
			}
		}
	}

	return nil, false
}

// noteDeadRows adds notes on the rows that would lead out of a group but are never taken.
func (x *machine) noteDeadRows(d *diag.Diagnostic, group []*flow.State) {
	noted := 0
	for _, s := range group {
		for _, move := range s.Moves {
			leadsOut := move.Row != nil && !slices.Contains(group, move.To) && !interp.StaysInState(s.State, move.Row)
			if move.Dead == flow.Alive || !leadsOut {
				continue
			}
			if noted == maxListed {
				return
			}
			noted++
			d.Note(move.Key().Span, "%s", x.describeDeadRow(move))
		}
	}
}

// describeDeadRow describes why a row is never taken, with the guard that never holds.
func (x *machine) describeDeadRow(move *flow.Move) string {
	text := fmt.Sprintf("the row %q is never taken", move.Key().Value)
	if x.task != nil {
		text = fmt.Sprintf("the row on %s to %q is never taken", move.Row.Key.Value, move.Row.To.Value)
	}
	if move.Row.When != nil && (move.Dead == flow.NoGuard || move.Dead == flow.NoWay) {
		text += fmt.Sprintf(": its guard %q never holds there", move.Row.When.Text.Value)
	}

	return text
}

// reportEndlessLoops reports loops that only their limit ends, which is a failure. It is an error
// if each run that reaches the loop fails.
func (u *unit) reportEndlessLoops() {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			loop, isLoop := t.Do.(*ir.Loop)
			if !isLoop || loop.IsForEach() {
				return
			}
			d := u.endlessLoopDiagnostic(t, loop)
			switch {
			case d == nil && u.flow.NeverEnds(t) && u.failsAll(w, t) && loop.Exit != nil:
				u.escalateConstantGuard(t, loop.Exit)
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

// escalateConstantGuard turns the problem of a constant condition into an error, because nothing
// else ends the step.
func (u *unit) escalateConstantGuard(t *ir.Task, condition *ir.Formula) {
	for _, d := range u.list.Sorted() {
		if d.Check == diag.ConstantGuard && isWithin(d.Span, condition.Text.Span) {
			d.Severity = diag.Error
			d.Note(t.Name.Span, "step %q fails in every run because of it", t.Name.Value)
		}
	}
}

// reportBlockedWorkflows reports workflows that never end, or only if a step fails, unless another
// pass has reported the reason.
func (u *unit) reportBlockedWorkflows() {
	u.eachWorkflow(func(a *ir.Agent, w *ir.Flow) {
		blocked := u.flow.BlockedTasks(w)
		if len(blocked) == 0 || slices.ContainsFunc(blocked, u.isBlockExplained) {
			return
		}
		t := blocked[0]
		if u.escalateMissing(a, w, t) {
			return
		}
		d := diag.New(diag.NoExit, t.Name.Span, "step %q of workflow %q never ends well", t.Name.Value, a.Name.Value)
		if u.flow.EndingOf(a) == flow.EndsByFailure {
			unlessFails(d, u.flow.FailureThatEnds(w, t))
		} else if !u.failsUsers(w) {
			d.Warn()
		}
		if arm := u.flow.UnfitArm(t); arm != nil {
			d.Note(arm.Name.Span, "the output of branch %q is not an object, so there is no union", arm.Name.Value)
		}
		u.noteNoList(d, t)
		noteFailingEnds(d, t)
		u.noteUnfitContext(d, w, t)
		u.report(d)
	})
}

// noteUnfitContext adds a note on what a step writes into a context that it does not fit, or on what
// an import inherits that does not take it.
func (u *unit) noteUnfitContext(d *diag.Diagnostic, w *ir.Flow, t *ir.Task) {
	misfit, refusal := u.flow.MisfitOf(t), u.flow.RefusalOf(t)
	switch {
	case misfit != nil:
		field := w.Context.FieldSchema(misfit.Path.Path)
		d.Note(misfit.At, "the value does not fit context.%s, which is %s", joinPath(misfit.Path.Path), field.ExpectedText())
	case refusal != nil:
		noteRefusal(d, ir.AgentOf(t.Do).Agent, refusal)
	}
}

// noteRefusal adds a note on the field because of which a workflow does not take a context.
func noteRefusal(d *diag.Diagnostic, of *ir.Agent, refusal *flow.Refusal) {
	context := of.Node.(*ir.Flow).Context
	if refusal.Lacks {
		d.Note(context.Span, "workflow %q requires %q in its context, which is not there", of.Name.Value, refusal.Field)
	} else {
		d.Note(context.Span, "workflow %q does not take context.%s", of.Name.Value, refusal.Field)
	}
}

// reportRefusedImports warns of imports that never take the context that they inherit. Where each run
// fails with one, [unit.reportBlockedWorkflows] has reported it.
func (u *unit) reportRefusedImports() {
	u.eachTask(func(w *ir.Flow, t *ir.Task) {
		do, isImport := t.Do.(*ir.Import)
		if !isImport || w.Partial || u.hasReported(diag.NoExit, t.Name.Span) {
			return
		}
		if refusal := flow.DeclaredRefusal(w, do); refusal != nil {
			d := diag.New(diag.NoExit, t.Name.Span, "step %q always fails: what it imports does not take the context that it inherits", t.Name.Value).Warn()
			noteRefusal(d, do.Agent.Agent, refusal)
			u.report(d)
		}
	})
}

// noteFailingEnds adds a note on a machine all of whose end states are failures.
func noteFailingEnds(d *diag.Diagnostic, t *ir.Task) {
	machine, isMachine := t.Do.(*ir.Machine)
	if !isMachine {
		return
	}
	ends := ir.Where(machine.States, func(s *ir.State) bool { return s.End })
	fails := func(s *ir.State) bool { return s.Fails }
	if len(ends) == 0 || slices.ContainsFunc(ends, func(s *ir.State) bool { return !fails(s) }) {
		return
	}
	names := ir.Map(ends, func(s *ir.State) string { return s.Name.Value })
	d.Note(ends[0].Name.Span, "each of its end states is a failure: %s", diag.JoinNames(names)).
		WithHint("let one of them be a success")
}

// noteNoList adds a note on what a map finds instead of a list.
func (u *unit) noteNoList(d *diag.Diagnostic, t *ir.Task) {
	loop, isLoop := t.Do.(*ir.Loop)
	if !isLoop || !loop.IsForEach() {
		return
	}
	list := loop.Over.(*ir.Access)
	switch found := u.flow.NoListOf(loop); found {
	case "":
	case "null":
		d.Note(list.Span, "%s is missing here", list.Written)
	default:
		d.Note(list.Span, "%s is %s here, and a map runs over a list", list.Written, found)
	}
}

// escalateMissing reports whether a value that is missing in a condition has been reported, because
// of which a step never ends well. It turns that into an error if it fails every run.
func (u *unit) escalateMissing(a *ir.Agent, w *ir.Flow, t *ir.Task) (isExplained bool) {
	for _, d := range u.list.Sorted() {
		isMissing := d.Check == diag.UnreadBeforeWritten || d.Check == diag.UnwrittenField
		if !isMissing || !isWithin(d.Span, t.Span) {
			continue
		}
		isExplained = true
		d.Note(t.Name.Span, "step %q of workflow %q never ends well because of it", t.Name.Value, a.Name.Value)
		if u.flow.EndingOf(a) == flow.NeverEnds && u.failsUsers(w) {
			d.Severity = diag.Error
		}
	}

	return isExplained
}

// endChecks are the checks that explain why a step does not end well.
var endChecks = []*diag.Check{diag.NoExit, diag.BeyondBounds, diag.UnroutedKey, diag.NoElse}

// isBlockExplained reports whether another problem explains why a step does not end well. The
// problem is in the step or in the workflow that it runs.
func (u *unit) isBlockExplained(t *ir.Task) bool {
	if u.flow.RunsBlocked(t) {
		return true
	}

	return slices.ContainsFunc(u.list.Sorted(), func(d *diag.Diagnostic) bool {
		return (slices.Contains(endChecks, d.Check) || d.IsError()) && isWithin(d.Span, t.Span)
	})
}

// endlessLoopDiagnostic describes a loop that only its limit ends. It returns nil for other loops
// and for an exit with a constant condition, which has been reported.
func (u *unit) endlessLoopDiagnostic(t *ir.Task, loop *ir.Loop) *diag.Diagnostic {
	runs := words.Count(loop.Max, "time")
	switch {
	case loop.OnBound == ir.BoundDone:
		return nil
	case loop.Exit == nil && loop.Func == nil:
		return diag.New(diag.NoExit, t.Name.Span, "loop %q has no exit: it fails after its steps have run %s", t.Name.Value, runs).
			WithHint("add a condition that ends it, until: \"…\", or the number of turns, repeat: %d", loop.Max)
	case loop.Exit != nil && u.flow.IsEndless(t) && !u.flow.HasEndlessInside(t) && mayHold(loop.Exit.Root):
		if loop.ExitFirst {
			return diag.New(diag.NoExit, t.Name.Span, "loop %q always fails: its condition still holds after its steps have run %s", t.Name.Value, runs).
				Note(loop.Exit.Text.Span, "it runs while %q", loop.Exit.Text.Value)
		}
		return diag.New(diag.NoExit, t.Name.Span, "loop %q always fails: its exit condition is still false after its steps have run %s", t.Name.Value, runs).
			Note(loop.Exit.Text.Span, "the exit is %q", loop.Exit.Text.Value)
	}

	return nil
}

// reportEndedGates reports rows that end a gate without ending its agent, which can then never
// finish.
func (u *unit) reportEndedGates() {
	u.eachState(func(x *machine, s *ir.State) {
		if _, anywhere := x.ungatedAction(ir.FinishAction); x.gate == nil || !x.hasGateEntry(ir.FinishAction) || anywhere {
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

// notePathInto adds a note with the shortest path into a group of states. It adds nothing if the
// start state or a target is unknown.
func (x *machine) notePathInto(d *diag.Diagnostic, group []*flow.State) *diag.Diagnostic {
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

	return d.Note(first.By.Key().Span, "reached by %s", formatPathTo(path, first))
}

// formatPathTo writes the path to a state as `draft --needs-work--> critique`. A long path is
// shortened in the middle.
func formatPathTo(path []*flow.Move, to *flow.State) string {
	parts := ir.Map(path, func(by *flow.Move) string { return by.From.Name.Value + " " + formatArrow(by.Key().Value) })
	if more := len(parts) - maxListed; more > 0 {
		parts = append(append(parts[:maxListed/2:maxListed/2], fmt.Sprintf("… (%d more) …", more)), parts[len(parts)-maxListed/2:]...)
	}

	return strings.Join(append(parts, to.Name.Value), " ")
}

// formatArrow writes a transition with its key. The transition of an unconditional state has no
// key.
func formatArrow(key string) string {
	if key == "" {
		return "-->"
	}

	return "--" + key + "-->"
}

// mayHold reports whether a condition is not constantly false.
func mayHold(x ir.Expression) bool {
	holds, _ := expr.Judge(x, nil)

	return holds
}
