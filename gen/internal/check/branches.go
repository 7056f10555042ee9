package check

import (
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// unroutedBranches finds values of the key of a conditional step for which no branch is there, and
// no default_branch. A branch that no value takes and that is named almost like one is the mistake
// then.
func (u *unit) unroutedBranches() {
	u.eachChoice(func(c *flow.Choice) {
		if c.Do.Default != nil {
			return
		}
		missing := c.Unrouted()
		if len(missing) == 0 {
			return
		}
		d := diag.New(diag.UnroutedKey, c.Task.Name.Span, "the key of step %q can be %s, and it has no branch for %s", c.Task.Name.Value,
			quoted(missing), plural(len(missing), "it", "them"))
		for _, arm := range c.Dead() {
			if near, ok := diag.Nearest(arm.Name.Value, missing); ok {
				d.Note(arm.Name.Span, "branch %q is never taken; did you mean %q?", arm.Name.Value, near)
			}
		}
		u.report(d.WithHint("the step would fail: add %s, or a default_branch", plural(len(missing), "the branch", "the branches")))
	})
	u.eachOpenChoice(func(w *ir.Flow, t *ir.Task, do *ir.Branch) {
		missing := u.flow.Missed(do)
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

// eachOpenChoice calls visit for the conditional steps of all workflows of whose keys not all values are known by what they are.
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

// deadBranches finds branches of conditional steps that no value of the key takes. One that is
// meant for a value without a branch is found as that.
func (u *unit) deadBranches() {
	u.eachChoice(func(c *flow.Choice) {
		for _, arm := range c.Dead() {
			near, ok := diag.Nearest(arm.Name.Value, c.Values)
			if ok && c.Branch(near) == nil && c.Do.Default == nil {
				continue
			}
			d := diag.New(diag.DeadTransition, arm.Name.Span, "branch %q of step %q is never taken: the key is %s", arm.Name.Value,
				c.Task.Name.Value, diag.Listed(ir.Map(c.Values, strconv.Quote)))
			u.report(d.Suggest(arm.Name.Value, c.Unrouted()))
		}
	})
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			if do, isConditional := t.Do.(*ir.Branch); isConditional {
				u.untakenBranches(t, do)
			}
		})
	})
}

// untakenBranches finds branches whose name the key never has on the way to their step. One that is meant for a value without a
// branch is found as that.
func (u *unit) untakenBranches(t *ir.Task, do *ir.Branch) {
	missed := u.flow.Missed(do)
	for _, arm := range u.flow.Untaken(do) {
		_, isNear := diag.Nearest(arm.Name.Value, missed)
		if isNear && do.Default == nil || u.found(diag.DeadTransition, arm.Name.Span) {
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

// eachChoice calls visit for the conditional steps of all workflows whose key is known to be one of
// some texts.
func (u *unit) eachChoice(visit func(*flow.Choice)) {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Flow) {
		for _, c := range u.flow.Choices(w) {
			visit(c)
		}
	})
}
