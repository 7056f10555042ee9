package simulate

import (
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// question is what the conditions of a workflow ask of a value.
type question struct {
	tests []test
	// exact says that something depends on the value in another way too.
	exact bool
	// isIterated says that a loop runs for each item of the value.
	isIterated bool
	// isTernary distinguishes values of which a test is unknown from those of which it is false.
	isTernary bool
}

// test is a part of a condition, with the access that reads the value.
type test struct {
	access *ir.Access
	part   ir.Expression
}

// add takes what is asked elsewhere.
func (q *question) add(other *question) {
	for _, t := range other.tests {
		if !slices.Contains(q.tests, t) {
			q.tests = append(q.tests, t)
		}
	}
	q.exact, q.isIterated = q.exact || other.exact, q.isIterated || other.isIterated
}

func (q *question) isAsked() bool { return q.exact || len(q.tests) > 0 }

// values are the constants of the tests and, of numbers, those beside them.
func (q *question) values() []workflow.Value {
	var values []workflow.Value
	if q.isIterated {
		item := workflow.Text("an item")
		values = append(values, workflow.List(), workflow.List(item), workflow.List(item, item))
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

	return distinct(values)
}

// alike returns the first of values that no test distinguishes.
func (q *question) alike(values []workflow.Value) []workflow.Value {
	seen := map[string]bool{}

	return slices.DeleteFunc(slices.Clone(values), func(v workflow.Value) bool {
		verdicts := q.verdicts(v)
		before := seen[verdicts]
		seen[verdicts] = true

		return before
	})
}

// verdicts is the same for values that no test distinguishes.
func (q *question) verdicts(v workflow.Value) string {
	verdicts := ""
	if q.exact {
		verdicts = v.JSON()
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

// candidates are the values with which models, people and functions answer: one that fits the
// schema, and others where an expression asks for something. What is asked of the output of a step
// is asked of that step; what is asked of the context or of whatever a state gave is known by the
// name alone, wherever the value comes from.
type candidates struct {
	// of are by name what is asked of a value.
	of map[string]*question
	// paths are what is read of an output, and of the context with nil.
	paths map[*ir.Output][][]string
	// known are the answers of steps.
	known map[*ir.Task][]workflow.Value
	// replied are the answers of people.
	replied map[*ir.Task][]reply
	// isTernary is that of the questions.
	isTernary bool
	// everything says that values are tried that no condition distinguishes.
	everything bool
}

// candidatesOf finds what the conditions of a workflow, and of those that it imports, ask for.
func candidatesOf(a *ir.Agent) *candidates {
	c := newCandidates()
	each := func(visit func(*ir.Task)) {
		for _, a := range ir.ReachableFrom(a) {
			if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
				ir.WalkTasks(w.Body, visit)
			}
		}
	}
	each(c.task)
	each(c.moves) // what is asked for is known now

	return c
}

// newCandidates returns candidates of which nothing is asked yet.
func newCandidates() *candidates {
	return &candidates{
		of: map[string]*question{}, paths: map[*ir.Output][][]string{}, known: map[*ir.Task][]workflow.Value{},
		replied: map[*ir.Task][]reply{},
	}
}

// task takes what the conditions of a step ask for.
func (c *candidates) task(t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.Branch:
		key := ir.Expression(&ir.Access{Root: ir.RootInput})
		if do.Key != nil {
			key = do.Key.Root
			c.condition(key)
		}
		for _, arm := range do.Branches {
			c.condition(interp.Takes(key, arm.Name.Value))
		}
	case *ir.Loop:
		if do.Exit != nil {
			c.condition(do.Exit.Root)
		}
		if items := do.ItemsPath(); items != nil && len(items.Path) > 0 {
			q := c.ask(lastOf(items))
			q.exact, q.isIterated = true, true
			c.paths[nil] = append(c.paths[nil], names(items))
		}
	case *ir.Machine:
		for _, row := range do.Rows() {
			if row.When != nil {
				c.condition(row.When.Formula.Root)
			}
		}
		if slices.ContainsFunc(do.States, func(s *ir.State) bool { return s.NextOpen }) {
			for _, to := range do.States {
				c.condition(interp.Takes(&ir.Access{Root: ir.RootNext}, to.Name.Value))
			}
			if slices.ContainsFunc(do.States, do.HasNoRows) {
				c.condition(interp.Takes(&ir.Access{Root: ir.RootNext}, "")) // the machine ends there
			}
		}
	}
}

// condition takes the parts of a condition that are true or false, with the paths in them.
func (c *candidates) condition(x ir.Expression) {
	for _, part := range expr.Parts(x) {
		var read []*ir.Access
		ir.WalkAccesses(part, func(a *ir.Access) { read = append(read, a) })
		for _, a := range read {
			q := c.ask(nameOf(a))
			q.tests = append(q.tests, test{a, part})
			q.exact = q.exact || len(read) > 1
			if len(a.Path) > 0 && isObject(a.Root) {
				c.paths[a.Output] = append(c.paths[a.Output], a.PathNames())
			}
		}
	}
}

// isObject reports whether a root is an object in which something may be that is read of it.
func isObject(root ir.Root) bool {
	return root == ir.RootStep || root == ir.RootContext || root == ir.RootData
}

// nameOf is the name by which the value of a path is asked for: the last one of the path, wherever
// the value comes from; the output of a step has a name of its own, and what a state or a pipeline
// was given has none.
func nameOf(a *ir.Access) string {
	switch n := len(a.Path); {
	case n > 0:
		return a.Path[n-1].Name.Value
	case a.Root == ir.RootNext:
		return ir.NextState
	case a.Root == ir.RootStep:
		return ofOutput(a.Output)
	}

	return ""
}

// ofOutput is a name that no field has.
func ofOutput(o *ir.Output) string { return "\x00" + o.Name.Value }

func lastOf(p *ir.ContextPath) string {
	if p == nil || len(p.Path) == 0 {
		return ""
	}

	return p.Path[len(p.Path)-1].Value
}

// ask returns what is asked of a name.
func (c *candidates) ask(name string) *question {
	if c.of[name] == nil {
		c.of[name] = &question{}
	}

	return c.of[name]
}

// asked returns what is asked of some names.
func (c *candidates) asked(names ...string) *question {
	all := &question{isTernary: c.isTernary}
	for _, name := range names {
		if q := c.of[name]; q != nil {
			all.add(q)
		}
	}
	all.exact = all.exact || c.everything && len(all.tests) > 0

	return all
}

// moves takes what is asked of a place in the context as asked of what is put there.
func (c *candidates) moves(t *ir.Task) {
	move := func(to *ir.ContextPath, from string) {
		if name := lastOf(to); name != "" && name != from {
			c.ask(from).add(c.ask(name))
		}
	}
	move(t.SinkTo, ofOutput(t.Output))
	switch do := t.Do.(type) {
	case *ir.UseBuiltin:
		value := ir.FieldOf(do.Args, do.Data)
		if value == nil {
			move(do.Path, "")
			return
		}
		value.Walk(func(access *ir.Access) { move(do.Path, nameOf(access)) })
	case *ir.Import:
		for _, o := range do.Outputs {
			if name := lastOf(o.Child); name != "" {
				move(o.Parent, name)
			}
		}
	}
}
