package check

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/expr"
	"github.com/agentc-dev/agentc/gen/ir"
)

// branching is a conditional step of a workflow whose key is known to be one of some texts.
type branching struct {
	task *ir.Task
	do   *ir.Conditional
	// values are what the key can be. With orNone it can be none beside them, or a value that no schema forbids.
	values []string
	orNone bool
}

// unroutedBranches finds values of the key of a conditional step for which no branch is there, and no default_branch. A branch that
// no value takes and that is named almost like one is the mistake then.
func (u *unit) unroutedBranches() {
	u.eachChoice(func(c *branching) {
		if c.do.Default != nil {
			return
		}
		missing := c.unrouted()
		if len(missing) == 0 {
			return
		}
		d := diag.New(diag.UnroutedKey, c.task.Name.Span, "the key of step %q can be %s, and it has no branch for %s", c.task.Name.Value,
			quoted(missing), plural(len(missing), "it", "them"))
		for _, arm := range c.dead() {
			if near, ok := diag.Nearest(arm.Name.Value, missing); ok {
				d.Note(arm.Name.Span, "branch %q is never taken; did you mean %q?", arm.Name.Value, near)
			}
		}
		u.report(d.WithHint("the step would fail: add %s, or a default_branch", plural(len(missing), "the branch", "the branches")))
	})
}

// deadBranches finds branches of conditional steps that no value of the key takes. One that is meant for a value without a branch
// is found as that.
func (u *unit) deadBranches() {
	u.eachChoice(func(c *branching) {
		for _, arm := range c.dead() {
			near, ok := diag.Nearest(arm.Name.Value, c.values)
			if ok && c.branch(near) == nil && c.do.Default == nil {
				continue
			}
			d := diag.New(diag.DeadTransition, arm.Name.Span, "branch %q of step %q is never taken: the key is %s", arm.Name.Value,
				c.task.Name.Value, diag.Listed(quotedEach(c.values)))
			u.report(d.Suggest(arm.Name.Value, c.unrouted()))
		}
	})
}

func quotedEach(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = strconv.Quote(text)
	}

	return all
}

// eachChoice calls visit for the conditional steps of all workflows whose key is known to be one of some texts.
func (u *unit) eachChoice(visit func(*branching)) {
	for _, a := range u.program.Agents {
		w, isWorkflow := a.Node.(*ir.Workflow)
		if !isWorkflow || w.Partial {
			continue
		}
		ir.WalkPipelines(w.Body, func(p *ir.Pipeline) {
			for i, t := range p.Tasks {
				var before *ir.Task
				if i > 0 {
					before = p.Tasks[i-1]
				}
				for ; t != nil; t = t.Fallback {
					if do, isConditional := t.Do.(*ir.Conditional); isConditional {
						visitChoice(&branching{task: t, do: do}, before, visit)
					}
				}
			}
		})
	}
}

// visitChoice calls visit if the values of the key are known; before is the step whose output is the key of a step that names none.
func visitChoice(c *branching, before *ir.Task, visit func(*branching)) {
	known := false
	switch {
	case c.do.Key != nil:
		known = c.ofExpression(c.do.Key.Root)
	case c.do.Func != nil:
		known = c.ofSchema(c.do.Func.Output)
	case c.task.Input == nil && before != nil:
		known = c.ofSchema(before.Type.Schema)
	}
	if known {
		visit(c)
	}
}

// ofExpression finds the values of an expression; known is false where they are not a few.
func (c *branching) ofExpression(x ir.Expression) (known bool) {
	schema := x.Is().Schema
	switch x := x.(type) {
	case *ir.Literal, *ir.Placeholder, *ir.Tuple:
		return false // a constant has been reported
	case *ir.Access:
		c.orNone = x.Maybe || x.Default != nil
		return x.Default == nil && c.ofSchema(schema)
	}
	if schema == nil || schema.Kind != ir.SchemaBoolean {
		return false
	}
	canHold, canFail := expr.Judge(x, nil)
	if canHold {
		c.values = append(c.values, "true")
	}
	if canFail {
		c.values = append(c.values, "false")
	}

	return canHold && canFail // else it has been reported as a constant
}

// ofSchema takes the values of an enum, or true and false.
func (c *branching) ofSchema(s *ir.Schema) (known bool) {
	if s == nil {
		return false
	}
	c.orNone = c.orNone || s.Nullable
	if s.Enum == nil {
		c.values = []string{"true", "false"}
		return s.Kind == ir.SchemaBoolean
	}
	for _, value := range s.Enum {
		text := value
		if json.Unmarshal([]byte(value), &text) != nil {
			text = value
		}
		if value == "null" {
			c.orNone = true
			continue
		}
		c.values = append(c.values, text)
	}

	return true
}

// branch returns the branch that a value of the key takes; nil if there is none.
func (c *branching) branch(value string) *ir.Arm {
	i := slices.IndexFunc(c.do.Branches, func(arm *ir.Arm) bool { return arm.Name.Value == value })
	if i < 0 {
		return nil
	}

	return c.do.Branches[i]
}

// dead returns the branches that no value takes. What is none as a text is not known here.
func (c *branching) dead() []*ir.Arm {
	if c.orNone {
		return nil
	}

	return slices.DeleteFunc(slices.Clone(c.do.Branches), func(arm *ir.Arm) bool { return slices.Contains(c.values, arm.Name.Value) })
}

// unrouted returns the values without a branch.
func (c *branching) unrouted() []string {
	return slices.DeleteFunc(slices.Clone(c.values), func(value string) bool { return c.branch(value) != nil })
}
