package simulate

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// question is what the conditions of a workflow test of a value.
type question struct {
	tests []test
	// isExact is set if something else depends on the value, too.
	isExact bool
	// isIterated is set if a loop runs for each item of the value.
	isIterated bool
	// isNeeded is set if a text or data has no result without the value, and isWaited if it is in the
	// text of a wait.
	isNeeded, isWaited bool
	// isTernary distinguishes an unknown test from a false one.
	isTernary bool
}

// test is a part of a condition, with the access that reads the value.
type test struct {
	access *ir.Access
	part   ir.Expression
}

// merge adds the tests of another question. hasGrown reports whether some were missing.
func (q *question) merge(other *question) (hasGrown bool) {
	before := *q
	for _, t := range other.tests {
		if !slices.Contains(q.tests, t) {
			q.tests = append(q.tests, t)
		}
	}
	q.isExact, q.isIterated = q.isExact || other.isExact, q.isIterated || other.isIterated
	q.isNeeded, q.isWaited = q.isNeeded || other.isNeeded, q.isWaited || other.isWaited
	isOther := q.isExact != before.isExact || q.isIterated != before.isIterated

	return isOther || len(q.tests) > len(before.tests) || q.isNeeded != before.isNeeded || q.isWaited != before.isWaited
}

func (q *question) isAsked() bool { return q.isExact || len(q.tests) > 0 || q.isNeeded || q.isWaited }

// testValues returns the constants of the tests and, for numbers, their neighbors.
func (q *question) testValues() []workflow.Value {
	var values []workflow.Value
	if q.isIterated {
		item := workflow.Text("an item")
		values = append(values, workflow.List(), workflow.List(item), workflow.List(item, item))
	}
	if q.isWaited {
		values = append(values, waitedTexts...)
	}
	for _, t := range q.tests {
		ir.WalkExpression(t.part, func(x ir.Expression) {
			switch x := x.(type) {
			case *ir.Literal:
				values = append(values, workflow.Of(x.Value))
				switch n := x.Value.(type) {
				case int64:
					values = append(values, workflow.Int(n-1), workflow.Int(n+1))
				case float64:
					values = append(values, workflow.Of(n-1), workflow.Of(n+1))
				}
			case *ir.Contains:
				if literal, isLiteral := x.X.(*ir.Literal); isLiteral {
					values = append(values, workflow.List(workflow.Of(literal.Value)))
				}
			}
		})
	}

	return uniqueValues(values)
}

// waitedTexts are a duration and a time, as texts in which a step reads how long it waits.
var waitedTexts = []workflow.Value{workflow.Text("1s"), workflow.Text("2000-01-01T00:00:00Z")}

// numbersBetween returns the numbers of the tests and the bounds of a schema, and one between each
// two neighbors.
func (q *question) numbersBetween(s *ir.Schema) []workflow.Value {
	var points []float64
	add := func(v workflow.Value) {
		number := v
		if v.IsText() {
			number, _ = v.ReadNumber()
		}
		if f, isNumber := number.AsNumber(); isNumber {
			points = append(points, f)
		}
	}
	for _, v := range q.testValues() {
		add(v)
	}
	if s != nil {
		for _, bound := range []string{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum} {
			add(workflow.Text(bound))
		}
	}
	slices.Sort(points)
	var numbers []workflow.Value
	for i, p := range points {
		if i > 0 {
			between := points[i-1] + (p-points[i-1])/2
			numbers = append(numbers, workflow.Of(between), workflow.Of(math.Floor(between)))
		}
		numbers = append(numbers, workflow.Of(p))
	}

	return uniqueValues(numbers)
}

// newAmong returns the values with other results of the tests than all known ones have, one for
// each.
func (q *question) newAmong(known, values []workflow.Value) []workflow.Value {
	tests := question{tests: q.tests, isWaited: q.isWaited, isTernary: q.isTernary}
	distinct := tests.distinguished(known)

	return tests.distinguished(slices.Concat(distinct, values))[len(distinct):]
}

// distinguished returns the first of the values with equal verdicts.
func (q *question) distinguished(values []workflow.Value) []workflow.Value {
	seen := map[string]bool{}

	return slices.DeleteFunc(slices.Clone(values), func(v workflow.Value) bool {
		verdicts := q.verdicts(v)
		before := seen[verdicts]
		seen[verdicts] = true

		return before
	})
}

// verdicts returns a text that is equal for values that no test distinguishes.
func (q *question) verdicts(v workflow.Value) string {
	verdicts := ""
	if q.isExact {
		verdicts = v.JSON()
	}
	if q.isWaited {
		_, _, err := workflow.ParseWait(v.String())
		verdicts += strconv.FormatBool(err == nil)
	}
	for _, t := range q.tests {
		known := func(x ir.Expression) (workflow.Value, bool) { return v, x == ir.Expression(t.access) }
		verdict := expr.Compute(t.part, known)
		if q.isTernary && verdict.IsNone() {
			verdicts += "unknown"
		} else {
			verdicts += strconv.FormatBool(verdict.True())
		}
	}

	return verdicts
}

// candidates are the values that models, people and functions may answer: one that fits the schema,
// and others if an expression tests them. Questions about the output of a step belong to that step,
// and to those of which the output is a copy.
// Questions about the context, or about the output of a state, belong to the last name of the path,
// wherever the value comes from.
type candidates struct {
	// questions are by name.
	questions map[string]*question
	// readPaths are the paths that are read of an output, and of the context with nil.
	readPaths map[*ir.Output][][]string
	// valuesByTask are the answers of steps.
	valuesByTask map[*ir.Task][]workflow.Value
	// repliesByTask are the answers of people.
	repliesByTask map[*ir.Task][]personReply
	// isTernary applies to all questions.
	isTernary bool
	// isSample is set if there were more values than are tried.
	isSample bool
	// isExhaustive also tries values that no condition distinguishes.
	isExhaustive bool
}

// findCandidates collects the questions of the conditions in a workflow, and in those that it
// imports.
func findCandidates(a *ir.Agent) *candidates {
	c := newCandidates()
	each := func(visit func(*ir.Task)) {
		for _, a := range ir.ReachableFrom(a) {
			if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
				ir.WalkTasks(w.Body, visit)
			}
		}
	}
	each(c.addTask)
	copies := findCopies(a)
	for hasGrown := true; hasGrown; { // all questions are known now
		hasGrown = false
		each(func(t *ir.Task) {
			grown := c.propagateThrough(t)
			hasGrown = hasGrown || grown
		})
		for _, copied := range copies {
			grown := c.propagateCopy(copied)
			hasGrown = hasGrown || grown
		}
	}

	return c
}

// newCandidates returns candidates without questions.
func newCandidates() *candidates {
	return &candidates{
		questions: map[string]*question{}, readPaths: map[*ir.Output][][]string{}, valuesByTask: map[*ir.Task][]workflow.Value{},
		repliesByTask: map[*ir.Task][]personReply{},
	}
}

// addTask adds the questions of a step's conditions, and of the texts and data that it computes.
func (c *candidates) addTask(t *ir.Task) {
	if builtin.CanTextFail(t) {
		c.addNeeded(t)
	}
	switch do := t.Do.(type) {
	case *ir.Branch:
		key := ir.Expression(&ir.Access{Root: ir.RootInput})
		if do.Key != nil {
			key = do.Key.Root
			c.addCondition(key)
		}
		for _, arm := range do.Branches {
			c.addCondition(interp.BranchCondition(key, arm.Name.Value))
		}
	case *ir.Loop:
		if do.Exit != nil {
			c.addCondition(do.Exit.Root)
		}
		if items := do.ItemsPath(); items != nil && len(items.Path) > 0 {
			q := c.ensureQuestion(lastName(items))
			q.isExact, q.isIterated = true, true
			c.readPaths[nil] = append(c.readPaths[nil], pathNames(items))
		}
	case *ir.Parallel:
		for _, w := range do.Conflicts() {
			c.addWrite(w)
		}
	case *ir.Machine:
		for _, row := range do.Rows() {
			if row.When != nil {
				c.addCondition(row.When.Formula.Root)
			}
		}
		if slices.ContainsFunc(do.States, func(s *ir.State) bool { return s.NextOpen }) {
			for _, to := range do.States {
				c.addCondition(interp.BranchCondition(&ir.Access{Root: ir.RootNext}, to.Name.Value))
			}
			if slices.ContainsFunc(do.States, do.HasNoRows) {
				c.addCondition(interp.BranchCondition(&ir.Access{Root: ir.RootNext}, "")) // the machine ends there
			}
		}
	case *ir.Run, *ir.PassOn, *ir.Receive, *ir.UseFunc, *ir.UseBuiltin, *ir.Import, *ir.Ask, *ir.Return: // no conditions
	}
}

// addNeeded adds the questions of a step whose texts and data can fail: whether the values in them
// are there.
func (c *candidates) addNeeded(t *ir.Task) {
	do, isPassOn := t.Do.(*ir.PassOn)
	isWait := isPassOn && do.WaitText != nil
	t.WalkOwnReads(func(a *ir.Access) {
		if len(a.Path) == 0 && a.Root != ir.RootStep {
			return
		}
		q := c.ensureQuestion(questionName(a))
		q.isNeeded, q.isWaited = true, q.isWaited || isWait
		if len(a.Path) > 0 && canHoldFields(a.Root) {
			c.readPaths[a.Output] = append(c.readPaths[a.Output], a.PathNames())
		}
	})
}

// addWrite adds a constant that a branch writes. There is no conflict if the field has it before.
func (c *candidates) addWrite(w ir.ContextWrite) {
	if w.Value == nil {
		return
	}
	value, isKnown := expr.DatumValue(w.Value, func(*ir.Access) (any, bool) { return nil, false })
	if !isKnown {
		return
	}
	var constant any
	if err := json.Unmarshal([]byte(value.JSON()), &constant); err != nil || constant == nil {
		return
	}
	c.addCondition(&ir.Compare{Op: ir.OpEqual, X: w.Path.Access(ir.Type{}, nil), Y: &ir.Literal{Value: constant}})
}

// addCondition adds the boolean parts of a condition, with their paths.
func (c *candidates) addCondition(x ir.Expression) {
	for _, part := range expr.Parts(x) {
		var read []*ir.Access
		ir.WalkAccesses(part, func(a *ir.Access) { read = append(read, a) })
		for _, a := range read {
			q := c.ensureQuestion(questionName(a))
			q.tests = append(q.tests, test{a, part})
			q.isExact = q.isExact || len(read) > 1
			if len(a.Path) > 0 && canHoldFields(a.Root) {
				c.readPaths[a.Output] = append(c.readPaths[a.Output], a.PathNames())
			}
		}
	}
}

// canHoldFields reports whether a root is an object in which read fields may be.
func canHoldFields(root ir.Root) bool {
	return root == ir.RootStep || root == ir.RootContext || root == ir.RootData
}

// questionName returns the name of the question about a path: its last name, wherever the value
// comes from. The output of a step has a special name. The output of a state and the input of a
// pipeline have none.
func questionName(a *ir.Access) string {
	switch n := len(a.Path); {
	case n > 0:
		return a.Path[n-1].Name.Value
	case a.Root == ir.RootNext:
		return ir.NextState
	case a.Root == ir.RootStep:
		return outputName(a.Output)
	}

	return ""
}

// outputName returns a name that no field has.
func outputName(o *ir.Output) string { return "\x00" + o.Name.Value }

func lastName(p *ir.ContextPath) string {
	if p == nil || len(p.Path) == 0 {
		return ""
	}

	return p.Path[len(p.Path)-1].Value
}

// ensureQuestion returns the question about a name.
func (c *candidates) ensureQuestion(name string) *question {
	if c.questions[name] == nil {
		c.questions[name] = &question{}
	}

	return c.questions[name]
}

// questionAbout returns the combined question about some names.
func (c *candidates) questionAbout(names ...string) *question {
	all := &question{isTernary: c.isTernary}
	for _, name := range names {
		if q := c.questions[name]; q != nil {
			all.merge(q)
		}
	}
	all.isExact = all.isExact || c.isExhaustive && len(all.tests) > 0

	return all
}

// propagateThrough adds the questions about a path in the context to the values that a step writes
// there. hasGrown reports whether some question has new tests.
func (c *candidates) propagateThrough(t *ir.Task) (hasGrown bool) {
	move := func(to *ir.ContextPath, from string) {
		if name := lastName(to); name != "" && name != from {
			grown := c.ensureQuestion(from).merge(c.ensureQuestion(name))
			hasGrown = hasGrown || grown
		}
	}
	move(t.SinkTo, outputName(t.Output))
	switch do := t.Do.(type) {
	case *ir.UseBuiltin:
		value := ir.FieldOf(do.Args, do.Data)
		if value == nil {
			move(do.Path, "")
			return hasGrown
		}
		value.Walk(func(access *ir.Access) { move(do.Path, questionName(access)) })
	case *ir.Import:
		for _, o := range do.Outputs {
			if name := lastName(o.Child); name != "" {
				move(o.Parent, name)
			}
		}
	}

	return hasGrown
}
