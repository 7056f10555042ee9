package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// newCandidates finds what the conditions of a workflow, and of those that it imports, ask for.
func newCandidates(a *ir.Agent) *candidates {
	c := &candidates{
		of: map[*ir.Output]questions{}, paths: map[*ir.Output][][]string{}, known: map[candidateKey][]workflow.Value{},
	}
	var tasks []*ir.Task
	seen := map[*ir.Agent]bool{}
	var visit func(*ir.Agent)
	visit = func(a *ir.Agent) {
		w, isWorkflow := a.Node.(*ir.Workflow)
		if !isWorkflow || seen[a] {
			return
		}
		seen[a] = true
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			tasks = append(tasks, t)
			if do, isImport := t.Do.(*ir.Import); isImport {
				visit(do.Agent.Agent)
			}
		})
	}
	visit(a)
	for _, t := range tasks {
		c.task(t)
	}
	for _, t := range tasks { // what is asked for is known now
		c.moves(t)
	}

	return c
}

// task takes what the conditions of a step ask for.
func (c *candidates) task(t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.Conditional:
		c.keys(do)
	case *ir.Repeat:
		if do.Exit != nil {
			c.condition(do.Exit.Root)
		}
	case *ir.Each:
		if do.Items != nil && len(do.Items.Path) > 0 {
			c.ask(nil, do.Items.Path[len(do.Items.Path)-1].Value).exact = true
		}
	case *ir.Machine:
		for _, row := range do.Rows() {
			if row.When != nil {
				c.condition(row.When.Formula.Root)
			}
		}
		for _, s := range do.States {
			if s.NextOpen {
				for _, to := range do.States {
					c.ask(nil, ir.NextState).add(&question{values: []workflow.Value{workflow.Text(to.Name.Value)}, exact: true})
				}
			}
		}
	}
}

// keys takes the branches of a step as what its key is compared with.
func (c *candidates) keys(do *ir.Conditional) {
	q := &question{exact: true}
	for _, arm := range do.Branches {
		switch name := arm.Name.Value; name {
		case "true", "false":
			q.values = append(q.values, workflow.Bool(name == "true"))
		default:
			q.values = append(q.values, workflow.Text(name))
		}
	}
	if do.Key == nil {
		c.ask(nil, "").add(q)
		return
	}
	c.condition(do.Key.Root)
	if access := accessOf(do.Key.Root); access != nil {
		c.about(access).add(q)
	}
}

// about returns what is asked of the value of a path: of the output of a step, if it begins with one.
func (c *candidates) about(x *ir.Access) *question {
	name := ""
	if n := len(x.Path); n > 0 {
		name = x.Path[n-1].Name.Value
	} else if x.Root == ir.RootNext {
		name = ir.NextState
	}
	if x.Root != ir.RootStep {
		return c.ask(nil, name)
	}

	return c.ask(x.Output, name)
}

// ask returns what is asked of a name in an output, or anywhere.
func (c *candidates) ask(o *ir.Output, name string) *question {
	if c.of[o] == nil {
		c.of[o] = questions{}
	}

	return c.of[o].at(name)
}

// accessOf returns the path that an expression reads, through methods; nil if it is anything else.
func accessOf(x ir.Expression) *ir.Access {
	for {
		switch inner := x.(type) {
		case *ir.Access:
			return inner
		case *ir.Method:
			x = inner.X
		default:
			return nil
		}
	}
}

// condition takes the parts of a condition.
func (c *candidates) condition(x ir.Expression) {
	switch x := x.(type) {
	case *ir.Not:
		c.condition(x.X)
	case *ir.Logic:
		for _, operand := range x.X {
			c.condition(operand)
		}
	default:
		c.part(x)
	}
}

// part takes a part of a condition that is true or false: what it compares the paths in it with.
func (c *candidates) part(part ir.Expression) {
	var read []*ir.Access
	ir.WalkExpression(part, func(x ir.Expression) {
		if a, isAccess := x.(*ir.Access); isAccess {
			read = append(read, a)
			c.path(a)
		}
	})
	for _, a := range read {
		q := c.about(a)
		q.tests = append(q.tests, test{a, part})
		q.exact = q.exact || len(read) > 1
	}
	switch x := part.(type) {
	case *ir.Compare:
		c.pair(x.X, x.Y)
		c.pair(x.Y, x.X)
	case *ir.Contains:
		c.pair(x.X, x.Y)
		if tuple, isTuple := x.Y.(*ir.Tuple); isTuple {
			for _, item := range tuple.Items {
				c.pair(x.X, item)
			}
		}
		literal, isLiteral := x.X.(*ir.Literal)
		if access := accessOf(x.Y); access != nil && isLiteral {
			v := workflow.Of(literal.Value)
			c.about(access).add(&question{values: []workflow.Value{v, workflow.List(v)}})
		}
	case *ir.Method:
		if x.Arg != nil {
			c.pair(x.X, x.Arg)
		}
	}
}

// path notes what is read.
func (c *candidates) path(x *ir.Access) {
	if len(x.Path) == 0 || x.Root != ir.RootStep && x.Root != ir.RootContext {
		return
	}
	path := make([]string, len(x.Path))
	for i, field := range x.Path {
		path[i] = field.Name.Value
	}
	c.paths[x.Output] = append(c.paths[x.Output], path)
}

// pair takes the comparison of a path with a literal.
func (c *candidates) pair(x, y ir.Expression) {
	access := accessOf(x)
	literal, isLiteral := y.(*ir.Literal)
	if access == nil || !isLiteral {
		return
	}
	values := []workflow.Value{workflow.Of(literal.Value)}
	switch n := literal.Value.(type) {
	case int64:
		values = append(values, workflow.Int(n-1), workflow.Int(n+1))
	case float64:
		values = append(values, workflow.Number(n-1), workflow.Number(n+1))
	}
	c.about(access).add(&question{values: values})
}

// moves takes what is asked of a place in the context as asked of what is put there.
func (c *candidates) moves(t *ir.Task) {
	last := func(p *ir.ContextPath) *question {
		if p == nil || len(p.Path) == 0 {
			return nil
		}
		return c.of[nil][p.Path[len(p.Path)-1].Value]
	}
	if q := last(t.SinkTo); q != nil {
		c.ask(t.Output, "").add(q)
	}
	switch do := t.Do.(type) {
	case *ir.UseBuiltin:
		q := last(do.Path)
		for _, source := range sourcesOf(do) {
			if q != nil && source == nil {
				c.ask(nil, "").add(q)
			} else if q != nil {
				c.about(source).add(q)
			}
		}
	case *ir.Import:
		for _, o := range do.Outputs {
			if q := last(o.Parent); q != nil && o.Child != nil && len(o.Child.Path) > 0 {
				c.ask(nil, o.Child.Path[len(o.Child.Path)-1].Value).add(q)
			}
		}
	}
}

// sourcesOf returns the paths that a builtin writes what they read; nil for the step's data.
func sourcesOf(do *ir.UseBuiltin) []*ir.Access {
	i := slices.IndexFunc(do.Args, func(f ir.DatumField) bool { return f.Name.Value == "value" })
	if i < 0 {
		return []*ir.Access{nil}
	}
	var paths []*ir.Access
	do.Args[i].Value.Walk(func(x ir.Expression) {
		if access, isAccess := x.(*ir.Access); isAccess {
			paths = append(paths, access)
		}
	})

	return paths
}
