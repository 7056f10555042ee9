package graph

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// parallelLabel returns the label of parallel branches.
func parallelLabel(g *ir.Parallel) string {
	return "side by side" + widthLabel(g.Width, len(g.Branches))
}

// repeatedLabel returns the label of a run that is repeated in parallel. The number is unknown for
// the items of a list.
func repeatedLabel(g *ir.Loop) string {
	if list, isList := g.Over.(*ir.ListOf); isList {
		return fmt.Sprintf("for each %s, %d at a time", itemWord(list), g.Width)
	}

	return countTimes(g.Max) + " side by side" + widthLabel(g.Width, g.Max)
}

// widthLabel returns the label of a limit below n branches.
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

// loopLabel returns the label of the line back in a loop.
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

// conditionLabels returns the labels of the true and the false branch. Keys look as in machines.
func conditionLabels(x ir.Expression) (holds, otherwise string) {
	if _, isDone := x.(*ir.SaysDone); isDone {
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

// stepKind returns the kind of a step without a frame.
func stepKind(t *ir.Task) kind {
	switch t.Do.(type) {
	case *ir.Run:
		return kindStep
	case *ir.Ask:
		return kindPerson
	}

	return kindCode
}

// stepLabel names a step, what it uses and how long it may take.
func stepLabel(t *ir.Task) string {
	if t.Within > 0 {
		return fmt.Sprintf("%s (at most %s)", stepUse(t), words.Duration(t.Within))
	}

	return stepUse(t)
}

// stepUse names a step and what it uses.
func stepUse(t *ir.Task) string {
	switch do := t.Do.(type) {
	case *ir.Run:
		return labelWithUse(t, do.Step.Name.Value)
	case *ir.UseFunc:
		return labelWithUse(t, do.Func.Name.Value)
	case *ir.UseBuiltin:
		return labelWithUse(t, do.Builtin)
	case *ir.Branch:
		switch {
		case t.Part == ir.PartSkipped:
			return words.Cut(do.Key.Text.Value, mostLabel)
		case do.Key != nil:
			return t.Name.Value + ": " + words.Cut(do.Key.Text.Value, mostLabel)
		case do.Func != nil:
			return labelWithUse(t, do.Func.Name.Value)
		}
	case *ir.PassOn:
		switch {
		case do.WaitText != nil:
			return fmt.Sprintf("%s (waits %s)", t.Name.Value, do.WaitText.Text.Value)
		case do.Wait > 0:
			return fmt.Sprintf("%s (waits %s)", t.Name.Value, words.Duration(do.Wait))
		}
	case *ir.Ask:
		if do.Timeout > 0 {
			return fmt.Sprintf("%s (at most %s)", t.Name.Value, words.Duration(do.Timeout))
		}
	case *ir.Receive, *ir.Import, *ir.Machine, *ir.Loop, *ir.Parallel, *ir.Return:
	}

	return t.Name.Value
}

// labelWithUse names a step and what it uses, or only one of them if the names are equal.
func labelWithUse(t *ir.Task, used string) string {
	if t.Name.Value == used {
		return used
	}

	return fmt.Sprintf("%s (%s)", t.Name.Value, used)
}

// workflowLoopLabel returns the label of a loop of a workflow.
func workflowLoopLabel(t *ir.Task, do *ir.Loop) string {
	switch label := fmt.Sprintf("%s, at most %s", t.Name.Value, countTimes(do.Max)); {
	case do.IsForEach() && do.ItemsPath().Value == "":
		return t.Name.Value + ", for each item" + itemsAtATime(do)
	case do.IsForEach():
		return t.Name.Value + ", for each item of " + do.ItemsPath().Value + itemsAtATime(do)
	case do.ExitFirst && do.Exit != nil:
		return label + ", while " + words.Cut(do.Exit.Text.Value, mostLabel)
	case do.Exit == nil && do.Func == nil && do.OnBound == ir.BoundDone:
		return t.Name.Value + ", " + countTimes(do.Max)
	case do.Exit != nil:
		return label + ", until " + words.Cut(do.Exit.Text.Value, mostLabel)
	case do.Func != nil:
		return label + ", until " + do.Func.Name.Value
	default:
		return label
	}
}

// itemsAtATime returns how many items of a map run in parallel, if several do.
func itemsAtATime(do *ir.Loop) string {
	if do.Width <= 1 {
		return ""
	}

	return fmt.Sprintf(", %d at a time", do.Width)
}

// mostLabel is the largest number of characters of an expression in a picture.
const mostLabel = 60
