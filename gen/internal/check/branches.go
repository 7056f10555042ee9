package check

import (
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// reportUnroutedBranches reports values of a conditional step's key that have neither a branch nor
// a default_branch. It points to a dead branch with a similar name.
func (u *unit) reportUnroutedBranches() {
	u.eachChoice(func(w *ir.Flow, c *flow.Choice) {
		if c.Do.Default != nil {
			return
		}
		missing := c.UnroutedValues()
		if len(missing) == 0 {
			return
		}
		d := diag.New(diag.UnroutedKey, c.Task.Name.Span, "the key of step %q can be %s, and it has no branch for %s", c.Task.Name.Value,
			quoted(missing), plural(len(missing), "it", "them"))
		if !u.pipelineFailsWith(w.Body, c.Task) {
			d.Warn()
		}
		for _, arm := range c.DeadBranches() {
			if near, ok := diag.Nearest(arm.Name.Value, missing); ok {
				d.Note(arm.Name.Span, "branch %q is never taken; did you mean %q?", arm.Name.Value, near)
			}
		}
		u.report(d.WithHint("the step would fail: add %s, or a default_branch", plural(len(missing), "the branch", "the branches")))
	})
	u.eachOpenChoice(func(w *ir.Flow, t *ir.Task, do *ir.Branch) {
		missing := u.flow.MissedKeys(do)
		if len(missing) == 0 || do.Default != nil {
			return
		}
		d := diag.New(diag.UnroutedKey, t.Name.Span, "the key of step %q can be %s, and it has no branch for %s", t.Name.Value,
			quoted(missing), plural(len(missing), "it", "them"))
		if !u.flow.NeverEnds(t) || !u.failsAll(w, t) {
			d.Warn()
		}
		u.report(d.WithHint("the step would fail: add %s, or a default_branch", plural(len(missing), "the branch", "the branches")))
	})
}

// eachOpenChoice calls visit for each conditional step whose possible keys are not listed by a
// type.
func (u *unit) eachOpenChoice(visit func(*ir.Flow, *ir.Task, *ir.Branch)) {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		known := map[*ir.Task]bool{}
		for _, c := range u.flow.Choices(w) {
			known[c.Task] = true
		}
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			if do, isConditional := t.Do.(*ir.Branch); isConditional && !known[t] {
				visit(w, t, do)
			}
		})
	})
}

// reportDeadBranches reports branches that no value of the key takes. A branch that is meant for an
// unrouted value is reported by reportUnroutedBranches.
func (u *unit) reportDeadBranches() {
	u.eachChoice(func(_ *ir.Flow, c *flow.Choice) {
		for _, arm := range c.DeadBranches() {
			near, ok := diag.Nearest(arm.Name.Value, c.Values)
			if ok && c.Branch(near) == nil && c.Do.Default == nil {
				continue
			}
			d := diag.New(diag.DeadTransition, arm.Name.Span, "branch %q of step %q is never taken: the key is %s", arm.Name.Value,
				c.Task.Name.Value, diag.JoinNames(ir.Map(c.Values, strconv.Quote)))
			u.report(d.Suggest(arm.Name.Value, c.UnroutedValues()))
		}
	})
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			if do, isConditional := t.Do.(*ir.Branch); isConditional {
				u.reportUntakenBranches(t, do)
			}
		})
	})
}

// reportUntakenBranches reports branches whose key no path to the step produces. A branch that is
// meant for a missing value is reported by reportUnroutedBranches.
func (u *unit) reportUntakenBranches(t *ir.Task, do *ir.Branch) {
	untaken := u.flow.UntakenBranches(do)
	if len(untaken) > 0 && do.Key != nil && u.hasFaultyKey(do.Key) {
		return
	}
	missed := u.flow.MissedKeys(do)
	for _, arm := range untaken {
		_, isNear := diag.Nearest(arm.Name.Value, missed)
		if isNear && do.Default == nil || u.hasReported(diag.DeadTransition, arm.Name.Span) {
			continue
		}
		d := diag.New(diag.DeadTransition, arm.Name.Span, "branch %q of step %q is never taken: the key is something else on every way to the step",
			arm.Name.Value, t.Name.Value)
		if do.Key != nil {
			d.Note(do.Key.Text.Span, "the key is %q", do.Key.Text.Value)
		}
		u.report(d.WithHint("remove it, or correct the key"))
	}
}

// keyProblems are the warnings inside of a key that explain why it never takes a branch.
var keyProblems = []*diag.Check{diag.UnreadBeforeWritten, diag.UnwrittenField}

// hasFaultyKey reports whether a problem of a key explains why it never takes some branches: it
// never has a value, or always the same, or reads what is missing. A part that is constant explains
// nothing if the key is not constant because of it.
func (u *unit) hasFaultyKey(key *ir.Formula) bool {
	canHold, canFail := expr.Judge(key.Root, nil)
	isConstant := canHold != canFail

	return slices.ContainsFunc(u.list.Sorted(), func(d *diag.Diagnostic) bool {
		explains := d.IsError() || slices.Contains(keyProblems, d.Check) || isConstant && d.Check == diag.ConstantGuard
		return explains && isWithin(d.Span, key.Text.Span)
	})
}

// eachChoice calls visit for each conditional step whose possible keys are known.
func (u *unit) eachChoice(visit func(*ir.Flow, *flow.Choice)) {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		for _, c := range u.flow.Choices(w) {
			visit(w, c)
		}
	})
}
