package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// sideBySide is the label of a group: of how many runs is not known where they are for the items of a list.
func sideBySide(g *ir.Parallel) string {
	switch {
	case g.List != nil:
		return fmt.Sprintf("for each %s, %d at a time", itemOf(g.List), g.Limit)
	case g.N > 0:
		return times(g.N) + " side by side" + atATime(g.Limit, g.N)
	}

	return "side by side" + atATime(g.Limit, len(g.Branches))
}

// atATime is the label of a limit that makes one of n branches wait.
func atATime(limit, n int) string {
	if limit >= n {
		return ""
	}

	return fmt.Sprintf(", %d at a time", limit)
}

func itemOf(list *ir.List) string {
	switch list.Kind {
	case ir.ListPlan:
		return "step"
	case ir.ListClaims:
		return "claim"
	}

	return "item"
}

// again is the label of the way back in a loop.
func again(loop *ir.Loop) string {
	switch {
	case loop.List != nil:
		return "for each " + itemOf(loop.List)
	case loop.Times > 0:
		return "again, " + times(loop.Times) + " in all"
	}
	label := "again"
	for _, op := range ir.OpsOf[*ir.Branch](loop.Body.Body) {
		if limit, isLimit := op.Cond.(ir.AtLimit); isLimit && limit.Counter == loop.Counter {
			label = "again, at most " + times(limit.N) + " in all"
		}
	}

	return label
}

// conditions are the labels of the ways where a condition holds and where it does not: keys look as they do in machines.
func conditions(c ir.Cond) (holds, otherwise string) {
	switch c := c.(type) {
	case ir.KeyIs:
		if c.Not {
			return ir.CatchAll, c.Key
		}
		return c.Key, ""
	case ir.SaysDone:
		return "done", ""
	case ir.AtLimit:
		return "after " + times(c.N), ""
	}

	return "", ""
}

func times(n int) string { return words.Count(n, "time") }

// kindOf says what a step that has no frame is.
func kindOf(t *ir.Task) kind {
	switch t.Do.(type) {
	case *ir.Run:
		return kindStep
	case *ir.Ask:
		return kindPerson
	}

	return kindCode
}

// labelOf names a step and what it uses.
func labelOf(t *ir.Task) string {
	switch do := t.Do.(type) {
	case *ir.Run:
		return called(t, do.Step.Name.Value)
	case *ir.UseFunc:
		return called(t, do.Func.Name.Value)
	case *ir.UseBuiltin:
		return called(t, do.Builtin)
	case *ir.Branch:
		switch {
		case do.Key != nil:
			return t.Name.Value + ": " + words.Cut(do.Key.Text.Value, mostLabel)
		case do.Func != nil:
			return called(t, do.Func.Name.Value)
		}
	}

	return t.Name.Value
}

// called names a step and what it uses, unless both have one name.
func called(t *ir.Task, used string) string {
	if t.Name.Value == used {
		return used
	}

	return fmt.Sprintf("%s (%s)", t.Name.Value, used)
}

// turnsOf is the label of a loop of a workflow.
func turnsOf(t *ir.Task, do *ir.Loop) string {
	switch label := fmt.Sprintf("%s, at most %s", t.Name.Value, times(do.Max)); {
	case do.Each() && do.Items.Value == "":
		return t.Name.Value + ", for each item"
	case do.Each():
		return t.Name.Value + ", for each item of " + do.Items.Value
	case do.Exit != nil:
		return label + ", until " + words.Cut(do.Exit.Text.Value, mostLabel)
	case do.Func != nil:
		return label + ", until " + do.Func.Name.Value
	default:
		return label
	}
}

// mostLabel is how many characters of an expression a picture shows.
const mostLabel = 60
