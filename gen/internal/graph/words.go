package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// parallelLabel is the label of branches.
func parallelLabel(g *ir.Parallel) string {
	return "side by side" + widthLabel(g.Width, len(g.Branches))
}

// repeatedLabel is the label of a run that is done several times side by side: how often is not known
// where it is for the items of a list.
func repeatedLabel(g *ir.Loop) string {
	if list, isList := g.Over.(*ir.ListOf); isList {
		return fmt.Sprintf("for each %s, %d at a time", itemWord(list), g.Width)
	}

	return countTimes(g.Max) + " side by side" + widthLabel(g.Width, g.Max)
}

// widthLabel is the label of a limit that makes one of n branches wait.
func widthLabel(limit, n int) string {
	if limit >= n {
		return ""
	}

	return fmt.Sprintf(", %d at a time", limit)
}

func itemWord(list *ir.ListOf) string {
	switch list.Kind {
	case ir.ListPlan:
		return "step"
	case ir.ListClaims:
		return "claim"
	}

	return "item"
}

// loopLabel is the label of the way back in a loop.
func loopLabel(loop *ir.Loop) string {
	if list, isList := loop.Over.(*ir.ListOf); isList {
		return "for each " + itemWord(list)
	}
	if loop.Max > 0 {
		return "again, " + countTimes(loop.Max) + " in all"
	}
	label := "again"
	for _, op := range ir.OpsOf[*ir.Branch](loop.Body.Ops()) {
		limit, isLimit := ir.TurnTestOf(op.Condition())
		if isLimit && limit.Turn == loop.Turn {
			label = "again, at most " + countTimes(limit.N) + " in all"
		}
	}

	return label
}

// conditionLabels are the labels of the ways where a condition holds and where it does not: keys look as
// they do in machines.
func conditionLabels(x ir.Expression) (holds, otherwise string) {
	if _, says := x.(*ir.SaysDone); says {
		return "done", ""
	}
	if limit, isLimit := ir.TurnTestOf(x); isLimit {
		return "after " + countTimes(limit.N), ""
	}
	test, isKey := ir.KeyTestOf(x)
	if isKey && test.Not {
		return ir.CatchAll, test.Key
	}

	return test.Key, ""
}

func countTimes(n int) string { return words.Count(n, "time") }

// stepKind says what a step that has no frame is.
func stepKind(t *ir.Task) kind {
	switch t.Do.(type) {
	case *ir.Run:
		return kindStep
	case *ir.Ask:
		return kindPerson
	}

	return kindCode
}

// stepLabel names a step and what it uses.
func stepLabel(t *ir.Task) string {
	switch do := t.Do.(type) {
	case *ir.Run:
		return labelWithUse(t, do.Step.Name.Value)
	case *ir.UseFunc:
		return labelWithUse(t, do.Func.Name.Value)
	case *ir.UseBuiltin:
		return labelWithUse(t, do.Builtin)
	case *ir.Branch:
		switch {
		case do.Key != nil:
			return t.Name.Value + ": " + words.Cut(do.Key.Text.Value, mostLabel)
		case do.Func != nil:
			return labelWithUse(t, do.Func.Name.Value)
		}
	case *ir.PassOn, *ir.Import, *ir.Machine, *ir.Loop, *ir.Parallel, *ir.Ask, *ir.Return:
	}

	return t.Name.Value
}

// labelWithUse names a step and what it uses, unless both have one name.
func labelWithUse(t *ir.Task, used string) string {
	if t.Name.Value == used {
		return used
	}

	return fmt.Sprintf("%s (%s)", t.Name.Value, used)
}

// workflowLoopLabel is the label of a loop of a workflow.
func workflowLoopLabel(t *ir.Task, do *ir.Loop) string {
	switch label := fmt.Sprintf("%s, at most %s", t.Name.Value, countTimes(do.Max)); {
	case do.Each() && do.Items().Value == "":
		return t.Name.Value + ", for each item"
	case do.Each():
		return t.Name.Value + ", for each item of " + do.Items().Value
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
