package flow

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Choice is a conditional step of a workflow whose key is known to be one of some texts.
type Choice struct {
	Task *ir.Task
	Do   *ir.Branch
	// Values are what the key can be.
	Values []string
	// orNone says that the key can be none beside them.
	orNone bool
	// missed are the values with which a run can reach the step and that have no branch; nil where
	// that is not known.
	missed map[string]bool
}

// Choices returns the conditional steps of a workflow of whose keys all values are known, in source
// order.
func (p *Program) Choices(w *ir.Flow) []*Choice {
	var all []*Choice
	ir.WalkPipelines(w.Body, func(body *ir.Pipeline) {
		var before *ir.Task
		for _, t := range body.Tasks {
			for other := t; other != nil; other = other.Fallback {
				do, isConditional := other.Do.(*ir.Branch)
				if c := (&Choice{Task: other, Do: do, missed: p.missed[do]}); isConditional && c.judge(before) {
					all = append(all, c)
				}
			}
			before = t
		}
	})

	return all
}

// judge finds the values of the key; known is false where they are not a few. before is the step
// whose output is the key of a step that names none.
func (c *Choice) judge(before *ir.Task) (known bool) {
	switch {
	case c.Do.Key != nil:
		return c.ofExpression(c.Do.Key.Root)
	case c.Do.Func != nil:
		return c.ofSchema(c.Do.Func.Output)
	case c.Task.Input == nil && before != nil:
		return c.ofSchema(before.Type.Schema)
	}

	return false
}

// ofExpression finds the values of an expression; known is false where they are not a few.
func (c *Choice) ofExpression(x ir.Expression) (known bool) {
	schema := x.ValueType().Schema
	switch x := x.(type) {
	case *ir.Literal, *ir.Placeholder, *ir.Tuple:
		return false // a constant has been reported
	case *ir.Access:
		c.orNone = x.MayBeNone || x.Default != nil
		return x.Default == nil && c.ofSchema(schema)
	}
	if schema == nil || schema.Kind != ir.SchemaBoolean {
		return false
	}
	canHold, canFail := expr.Judge(x, nil)
	if canHold {
		c.Values = append(c.Values, "true")
	}
	if canFail {
		c.Values = append(c.Values, "false")
	}

	return canHold && canFail // else it has been reported as a constant
}

// ofSchema takes the values of an enum, or true and false.
func (c *Choice) ofSchema(s *ir.Schema) (known bool) {
	values := expr.Constants(s)
	for _, value := range values {
		if value.IsNone() {
			c.orNone = true
		} else {
			c.Values = append(c.Values, value.BranchKey())
		}
	}

	return values != nil
}

// Missed returns the values of the key of a conditional step with which a run reaches it and takes no branch, in order, as far as
// these are known.
func (p *Program) Missed(do *ir.Branch) []string { return slices.Sorted(maps.Keys(p.missed[do])) }

// Untaken returns the branches of a conditional step that no run takes which reaches it.
func (p *Program) Untaken(do *ir.Branch) []*ir.Arm {
	return ir.Where(do.Branches, func(arm *ir.Arm) bool { return p.untaken[arm] })
}

// Branch returns the branch that a value of the key takes; nil if there is none.
func (c *Choice) Branch(value string) *ir.Arm {
	return ir.First(c.Do.Branches, func(arm *ir.Arm) bool { return arm.Name.Value == value })
}

// Dead returns the branches that no value takes. What is none as a text is not known here.
func (c *Choice) Dead() []*ir.Arm {
	if c.orNone {
		return nil
	}

	return slices.DeleteFunc(slices.Clone(c.Do.Branches), func(arm *ir.Arm) bool { return slices.Contains(c.Values, arm.Name.Value) })
}

// Unrouted returns the values without a branch with which a run can reach the step.
func (c *Choice) Unrouted() []string {
	return slices.DeleteFunc(slices.Clone(c.Values), func(value string) bool {
		return c.Branch(value) != nil || c.missed != nil && !c.missed[value]
	})
}
