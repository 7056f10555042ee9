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
}

// eachChoice calls visit for the conditional steps of all workflows whose key is known to be one of
// some texts.
func (u *unit) eachChoice(visit func(*flow.Choice)) {
	u.eachWorkflow(func(_ *ir.Agent, w *ir.Workflow) {
		for _, c := range u.flow.Choices(w) {
			visit(c)
		}
	})
}
