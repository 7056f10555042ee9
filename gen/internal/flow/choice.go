package flow

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Choice is a conditional step of a workflow with a key of a few known values.
type Choice struct {
	Task *ir.Task
	Do   *ir.Branch
	// Values are the possible values of the key.
	Values []string
	// mayBeNone is set if the key can also be None.
	mayBeNone bool
	// missed are the values with which a run can reach the step and that have no branch; nil if
	// they are not known.
	missed map[string]bool
}

// Choices returns the conditional steps of a workflow whose keys have known values, in source
// order.
func (p *Program) Choices(w *ir.Flow) []*Choice {
	var all []*Choice
	ir.WalkPipelines(w.Body, func(body *ir.Pipeline) {
		var before *ir.Task
		for _, t := range body.Tasks {
			for other := t; other != nil; other = other.Fallback {
				do, isConditional := other.Do.(*ir.Branch)
				if c := (&Choice{Task: other, Do: do, missed: p.missed[do]}); isConditional && c.findValues(before) {
					all = append(all, c)
				}
			}
			before = t
		}
	})

	return all
}

// findValues finds the values of the key; known is false if they are not a few. before is the
// previous task, whose output is the key of a step without one.
func (c *Choice) findValues(before *ir.Task) (known bool) {
	switch {
	case c.Do.Key != nil:
		return c.addExpressionValues(c.Do.Key.Root)
	case c.Do.Func != nil:
		return c.addSchemaValues(c.Do.Func.Output)
	case c.Task.Input == nil && before != nil:
		return c.addSchemaValues(before.Type.Schema)
	}

	return false
}

// addExpressionValues adds the values of an expression; known is false if they are not a few.
func (c *Choice) addExpressionValues(x ir.Expression) (known bool) {
	schema := x.ValueType().Schema
	switch x := x.(type) {
	case *ir.Literal, *ir.Placeholder, *ir.Tuple:
		return false // a constant is reported elsewhere
	case *ir.Access:
		c.mayBeNone = x.MayBeNone || x.Default != nil
		return x.Default == nil && c.addSchemaValues(schema)
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

	return canHold && canFail // otherwise it is reported as a constant
}

// addSchemaValues adds the values of an enum, or true and false.
func (c *Choice) addSchemaValues(s *ir.Schema) (known bool) {
	values := expr.Constants(s)
	for _, value := range values {
		if value.IsNone() {
			c.mayBeNone = true
		} else {
			c.Values = append(c.Values, value.BranchKey())
		}
	}

	return values != nil
}

// MissedKeys returns the keys with which a run reaches a conditional step and takes no branch,
// sorted, if they are known.
func (p *Program) MissedKeys(do *ir.Branch) []string { return slices.Sorted(maps.Keys(p.missed[do])) }

// UntakenBranches returns the branches of a conditional step that no run takes, although runs reach
// it.
func (p *Program) UntakenBranches(do *ir.Branch) []*ir.Arm {
	return ir.Where(do.Branches, func(arm *ir.Arm) bool { return p.untaken[arm] })
}

// IsDeadBranch reports whether no run takes a branch of a conditional step of a workflow: no value of
// its key has the name, or none with which runs reach the step.
func (p *Program) IsDeadBranch(w *ir.Flow, do *ir.Branch, arm *ir.Arm) bool {
	return p.untaken[arm] || slices.ContainsFunc(p.Choices(w), func(c *Choice) bool {
		return c.Do == do && slices.Contains(c.DeadBranches(), arm)
	})
}

// IsDeadDefault reports whether no run takes the default branch of a conditional step, although
// runs reach the step.
func (p *Program) IsDeadDefault(do *ir.Branch) bool { return p.untakenDefaults[do] }

// ExitOf returns whether the exit of a loop may hold after a turn, and whether it may not. Both are
// true if that is not known.
func (p *Program) ExitOf(loop *ir.Loop) (mayHold, mayFail bool) {
	exit, isKnown := p.exits[loop]

	return exit.holds || !isKnown, exit.fails || !isKnown
}

// LengthOf returns whether a loop over a list may find items, and whether it may find none. Both are
// true if that is not known.
func (p *Program) LengthOf(loop *ir.Loop) (maySome, mayNone bool) {
	length, isKnown := p.lengths[loop]

	return length.some || !isKnown, length.none || !isKnown
}

// NoListOf returns a value that a loop over a list finds instead of a list, as JSON; "" if none is
// known.
func (p *Program) NoListOf(loop *ir.Loop) string { return p.lengths[loop].noList }

// Branch returns the branch for a value of the key; nil if there is none.
func (c *Choice) Branch(value string) *ir.Arm {
	return ir.First(c.Do.Branches, func(arm *ir.Arm) bool { return arm.Name.Value == value })
}

// DeadBranches returns the branches that no value takes. It returns nil if the key may be None,
// because its text is not known here.
func (c *Choice) DeadBranches() []*ir.Arm {
	if c.mayBeNone {
		return nil
	}

	return slices.DeleteFunc(slices.Clone(c.Do.Branches), func(arm *ir.Arm) bool { return slices.Contains(c.Values, arm.Name.Value) })
}

// UnroutedValues returns the values without a branch with which a run can reach the step.
func (c *Choice) UnroutedValues() []string {
	return slices.DeleteFunc(slices.Clone(c.Values), func(value string) bool {
		return c.Branch(value) != nil || c.missed != nil && !c.missed[value]
	})
}
