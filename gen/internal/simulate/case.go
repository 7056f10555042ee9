package simulate

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Step is a step of a flow that runs can take in several ways: a conditional, a loop, parallel
// branches, a question, or a step with a fallback.
type Step struct {
	Agent *ir.Agent
	Task  *ir.Task
	// Cases are in source order.
	Cases []*Case
}

// Case is one of the ways in which runs can take a step.
type Case struct {
	Step *Step
	Kind CaseKind
	// Name is the name of the branch, or the answer as JSON. It is empty if a step has one case of
	// the kind.
	Name string
	Coverage

	// at is the position of the case; the zero Text if the source has only the step.
	at ir.Text
}

// CaseKind is the kind of a case.
type CaseKind string

// The kinds of cases.
const (
	// CaseBranch and CaseDefault are the branches of a conditional. In a pattern, its condition
	// holds or does not hold.
	CaseBranch  CaseKind = "branch"
	CaseDefault CaseKind = "default"
	// CaseNoTurn ends a loop before its first turn, CaseFirstTurn and CaseLaterTurn after a turn.
	// With CaseBound, the loop had all its turns.
	CaseNoTurn    CaseKind = "no-turn"
	CaseFirstTurn CaseKind = "first-turn"
	CaseLaterTurn CaseKind = "later-turn"
	CaseBound     CaseKind = "bound"
	// CaseNoItems, CaseOneItem and CaseSeveralItems are the lengths of a loop's list. With
	// CaseFailedItem, its body fails for an item.
	CaseNoItems      CaseKind = "no-items"
	CaseOneItem      CaseKind = "one-item"
	CaseSeveralItems CaseKind = "several-items"
	CaseFailedItem   CaseKind = "failed-item"
	// CaseFailedBranch is a failure of a parallel branch.
	CaseFailedBranch CaseKind = "failed-branch"
	// CaseFallback runs the fallback of a failed step.
	CaseFallback CaseKind = "fallback"
	// CaseAnswer is one of a few answers of a person. With CaseRefusedAnswer, an answer does not
	// fit, and the person is asked again.
	CaseAnswer        CaseKind = "answer"
	CaseRefusedAnswer CaseKind = "refused-answer"
	// CaseTimeout is a question without an answer in time, which has its on_timeout then.
	CaseTimeout CaseKind = "timeout"
)

// String describes the case within its step.
func (c *Case) String() string {
	if _, isPattern := ir.PatternOf(c.Step.Agent.Node); isPattern && c.Kind == CaseBranch {
		return "the condition"
	} else if isPattern && c.Kind == CaseDefault {
		return "the opposite of the condition"
	}
	switch c.Kind {
	case CaseBranch:
		return "branch " + strconv.Quote(c.Name)
	case CaseFailedBranch:
		return "a failure of branch " + strconv.Quote(c.Name)
	case CaseAnswer:
		return "the answer " + c.Name
	}

	return caseTexts[c.Kind]
}

// caseTexts describe the kinds that a step has at most once.
var caseTexts = map[CaseKind]string{
	CaseDefault:       "the default branch",
	CaseNoTurn:        "an end before the first turn",
	CaseFirstTurn:     "an end behind the first turn",
	CaseLaterTurn:     "an end behind a later turn",
	CaseBound:         "all its turns",
	CaseNoItems:       "no items",
	CaseOneItem:       "one item",
	CaseSeveralItems:  "several items",
	CaseFailedItem:    "an item that fails",
	CaseFallback:      "the fallback",
	CaseRefusedAnswer: "an answer that does not fit",
	CaseTimeout:       "no answer in time",
}

// At returns the position of the case, or of its step.
func (c *Case) At() ir.Text {
	if c.at.Span.File != nil {
		return c.at
	}

	return c.Step.At()
}

// At returns the position of the step, or for a step of a pattern the position of the agent.
func (s *Step) At() ir.Text {
	if s.Task.Name.Span.File != nil {
		return s.Task.Name
	}

	return s.Agent.Name
}

// IsFailure reports whether something in the step fails in the case.
func (c *Case) IsFailure() bool {
	return c.Kind == CaseFailedItem || c.Kind == CaseFailedBranch || c.Kind == CaseFallback
}

// isBehindAnswer reports whether the case needs a certain answer, or none in time, so that runs may
// reach the step without it.
func (c *Case) isBehindAnswer() bool {
	return c.Kind == CaseTimeout || c.Kind == CaseRefusedAnswer
}

// CountCovered returns how many cases of the step are taken by runs that end.
func (s *Step) CountCovered() int {
	return len(ir.Where(s.Cases, func(c *Case) bool { return c.Ends }))
}

// caseKey identifies a case of a program.
type caseKey struct {
	task *ir.Task
	kind CaseKind
	name string
}

// registerSteps adds the steps of a flow that n runs, and of the flows that it imports, to the
// steps with cases.
func (b *builder) registerSteps(n *node, a *ir.Agent, f *ir.Flow) {
	nodes := b.flowNodes[f]
	if slices.Contains(nodes, n) {
		return
	}
	b.flowNodes[f] = append(nodes, n)
	ir.WalkTasks(f.Body, func(t *ir.Task) {
		if do, isImport := t.Do.(*ir.Import); isImport {
			b.registerSteps(n, do.Agent.Agent, do.Agent.Agent.Node.(*ir.Flow))
		}
		if len(nodes) == 0 {
			b.addStep(&Step{Agent: a, Task: t})
		}
	})
}

// addStep adds a step if it has cases.
func (b *builder) addStep(s *Step) {
	s.Cases = casesOf(s)
	for _, c := range s.Cases {
		b.cases[caseKey{s.Task, c.Kind, c.Name}] = c
	}
	if len(s.Cases) > 0 {
		b.steps = append(b.steps, s)
	}
}

// decideSteps decides which cases are covered, and returns the steps in the order of the program.
func (b *builder) decideSteps() []*Step {
	for _, s := range b.steps {
		for _, c := range s.Cases {
			c.decide()
		}
	}
	for _, s := range b.steps {
		for _, c := range s.Cases {
			if !c.Ends {
				c.Why, c.Open = b.explainCase(c)
			}
		}
	}
	slices.SortStableFunc(b.steps, func(x, y *Step) int { return cmp.Compare(x.Agent.Name.Value, y.Agent.Name.Value) })

	return b.steps
}

// casesOf returns the cases of a step. It is empty if all runs take the step in the same way, and
// for the list behind a loop: whether it is skipped is a case of the loop.
func casesOf(s *Step) []*Case {
	var cases []*Case
	if s.Task.Part == ir.PartSkipped {
		return nil
	}
	add := func(kind CaseKind, name string, at ir.Text) {
		cases = append(cases, &Case{Step: s, Kind: kind, Name: name, Coverage: newCoverage(), at: at})
	}
	addAll := func(kinds ...CaseKind) {
		for _, kind := range kinds {
			add(kind, "", ir.Text{})
		}
	}
	_, isPattern := ir.PatternOf(s.Agent.Node)
	switch do := s.Task.Do.(type) {
	case *ir.Branch:
		for _, arm := range do.Branches {
			add(CaseBranch, arm.Name.Value, arm.Name)
		}
		if do.Default != nil {
			addAll(CaseDefault)
		}
	case *ir.Loop:
		addAll(loopCases(do, isPattern)...)
	case *ir.Parallel:
		for _, arm := range do.Branches {
			if !isPattern { // the pattern ignores a failure of a worker
				add(CaseFailedBranch, arm.Name.Value, arm.Name)
			}
		}
	case *ir.Ask:
		for _, answer := range answerChoices(do.Answer.Schema) {
			add(CaseAnswer, answer.JSON(), ir.Text{})
		}
		if _, canBeUnfit := unfitText(do.Answer.Schema); canBeUnfit {
			addAll(CaseRefusedAnswer)
		}
		if do.OnTimeout.Value != "" {
			addAll(CaseTimeout)
		}
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Machine, *ir.Return: // none
	}
	if s.Task.FailureFallback() != nil {
		addAll(CaseFallback)
	}

	return cases
}

// loopCases returns the kinds of the cases of a loop. In a pattern, a value that is not a list
// counts as one item, or the loop is not reached, and failures are values.
func loopCases(do *ir.Loop, isPattern bool) []CaseKind {
	isOnce := do.Max == 1
	switch {
	case do.IsForEach() && isPattern:
		return []CaseKind{CaseOneItem, CaseSeveralItems}
	case do.IsForEach():
		return []CaseKind{CaseNoItems, CaseOneItem, CaseSeveralItems, CaseFailedItem}
	case do.EndsByReturn():
		return []CaseKind{CaseFirstTurn, CaseLaterTurn}
	case do.Exit == nil && do.Func == nil:
		return nil
	}
	cases := []CaseKind{CaseFirstTurn}
	if do.ExitFirst {
		cases = []CaseKind{CaseNoTurn, CaseFirstTurn}
	}
	if !isOnce {
		cases = append(cases, CaseLaterTurn)
	}

	return append(cases, CaseBound)
}

// turnEndCase returns the case of a loop that ends after a turn. The first turn is 1; before it, the
// number is 0.
func turnEndCase(turn int) CaseKind {
	switch turn {
	case 0:
		return CaseNoTurn
	case 1:
		return CaseFirstTurn
	}

	return CaseLaterTurn
}

// itemCountCase returns the case of a loop over n items.
func itemCountCase(n int) CaseKind {
	switch n {
	case 0:
		return CaseNoItems
	case 1:
		return CaseOneItem
	}

	return CaseSeveralItems
}
