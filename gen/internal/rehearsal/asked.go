package rehearsal

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// newCandidates finds what the expressions of a workflow, and of those that it imports, ask for.
func newCandidates(a *ir.Agent) *candidates {
	c := &candidates{
		anywhere: asked{}, of: map[*ir.Output]asked{}, paths: map[*ir.Output][][]string{},
		known: map[question][]workflow.Value{}, merged: map[*ir.Output]asked{},
		mostContexts: mostContexts,
	}
	seen := map[*ir.Agent]bool{}
	var visit func(*ir.Agent)
	var flows []*ir.Workflow
	visit = func(a *ir.Agent) {
		w, isWorkflow := a.Node.(*ir.Workflow)
		if !isWorkflow || seen[a] {
			return
		}
		seen[a] = true
		flows = append(flows, w)
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			if do, isImport := t.Do.(*ir.Import); isImport {
				visit(do.Agent.Agent)
			}
		})
	}
	visit(a)
	for _, w := range flows {
		ir.WalkTasks(w.Body, c.task)
	}
	for _, w := range flows { // what is asked for is known now
		ir.WalkTasks(w.Body, c.moves)
	}
	c.deciders = &deciders{outputs: map[*ir.Task][]*ir.Output{}, passed: map[*ir.Task]bool{}}
	for range 2 { // a workflow may be imported by one that is looked at later
		c.deciders.conditions, c.deciders.moved, c.deciders.copied = nil, nil, nil
		for _, w := range flows {
			c.deciders.look(w.Body, importing(flows, w))
		}
	}

	return c
}

// importing returns the steps that run a workflow, and whose outputs are what its last step gives.
func importing(flows []*ir.Workflow, w *ir.Workflow) []*ir.Task {
	var tasks []*ir.Task
	for _, by := range flows {
		ir.WalkTasks(by.Body, func(t *ir.Task) {
			if do, isImport := t.Do.(*ir.Import); isImport && do.Agent.Agent.Node == ir.Node(w) {
				tasks = append(tasks, t)
			}
		})
	}

	return tasks
}

// task takes what the expressions of a step ask for.
func (c *candidates) task(t *ir.Task) {
	switch do := t.Do.(type) {
	case *ir.Conditional:
		c.keys(do)
	case *ir.Repeat:
		if do.Exit != nil {
			c.expression(do.Exit.Root)
		}
	case *ir.Each:
		if do.Items != nil && len(do.Items.Path) > 0 {
			c.ask(do.Items.Path[len(do.Items.Path)-1].Value)
		}
	case *ir.Machine:
		for _, row := range do.Rows() {
			if row.When != nil {
				c.expression(row.When.Formula.Root)
			}
		}
		for _, s := range do.States {
			if !s.NextOpen {
				continue
			}
			for _, to := range do.States {
				c.ask(ir.NextState, workflow.Text(to.Name.Value))
			}
		}
	}
}

// keys takes the branches of a step as what its key is compared with.
func (c *candidates) keys(do *ir.Conditional) {
	var values []workflow.Value
	for _, arm := range do.Branches {
		switch name := arm.Name.Value; name {
		case "true", "false":
			values = append(values, workflow.Bool(name == "true"))
		default:
			values = append(values, workflow.Text(name))
		}
	}
	if do.Key == nil {
		c.ask("", values...)
		return
	}
	c.expression(do.Key.Root)
	if access, isAccess := accessOf(do.Key.Root); isAccess {
		c.askOf(access, values...)
	}
}

// ask notes that a value of a name is looked at, and compared with others.
func (c *candidates) ask(name string, values ...workflow.Value) {
	c.anywhere[name] = distinct(append(c.anywhere[name], values...))
}

// askOf is ask of what a path reads: of the output of a step, if it begins with one.
func (c *candidates) askOf(x *ir.Access, values ...workflow.Value) {
	if x.Root != ir.RootStep {
		c.ask(nameOf(x), values...)
		return
	}
	c.askOutput(x.Output, nameOf(x), values...)
}

func (c *candidates) askOutput(o *ir.Output, name string, values ...workflow.Value) {
	if c.of[o] == nil {
		c.of[o] = asked{}
	}
	c.of[o][name] = distinct(append(c.of[o][name], values...))
}

// nameOf is the last name of a path; "" for an output itself.
func nameOf(x *ir.Access) string {
	if n := len(x.Path); n > 0 {
		return x.Path[n-1].Name.Value
	}
	if x.Root == ir.RootNext {
		return ir.NextState
	}

	return ""
}

// accessOf returns the path that an expression reads, through methods.
func accessOf(x ir.Expression) (access *ir.Access, ok bool) {
	for {
		switch inner := x.(type) {
		case *ir.Access:
			return inner, true
		case *ir.Method:
			x = inner.X
		default:
			return nil, false
		}
	}
}

func (c *candidates) expression(x ir.Expression) {
	switch x := x.(type) {
	case *ir.Access:
		c.askOf(x)
		c.path(x)
	case *ir.Not:
		c.expression(x.X)
	case *ir.Logic:
		for _, operand := range x.X {
			c.expression(operand)
		}
	case *ir.Compare:
		c.pair(x.X, x.Y)
		c.pair(x.Y, x.X)
	case *ir.Contains:
		c.contains(x)
	case *ir.Method:
		c.expression(x.X)
		if x.Arg != nil {
			c.pair(x.X, x.Arg)
		}
	}
}

// path notes what is read.
func (c *candidates) path(x *ir.Access) {
	if len(x.Path) == 0 {
		return
	}
	path := make([]string, len(x.Path))
	for i, field := range x.Path {
		path[i] = field.Name.Value
	}
	switch {
	case x.Root == ir.RootStep:
		c.paths[x.Output] = append(c.paths[x.Output], path)
	case x.Root == ir.RootContext:
		c.context = append(c.context, path)
	}
}

// pair takes the comparison of a path with a literal.
func (c *candidates) pair(x, y ir.Expression) {
	access, isAccess := accessOf(x)
	if !isAccess {
		return
	}
	c.expression(access)
	literal, isLiteral := y.(*ir.Literal)
	if !isLiteral {
		return
	}
	c.askOf(access, workflow.Of(literal.Value))
	if n, isInt := literal.Value.(int64); isInt {
		c.askOf(access, workflow.Int(n-1), workflow.Int(n+1))
	}
	if n, isNumber := literal.Value.(float64); isNumber {
		c.askOf(access, workflow.Number(n-1), workflow.Number(n+1))
	}
}

// contains takes what is looked for in something.
func (c *candidates) contains(x *ir.Contains) {
	if tuple, isTuple := x.Y.(*ir.Tuple); isTuple {
		for _, item := range tuple.Items {
			c.pair(x.X, item)
		}
		return
	}
	c.pair(x.X, x.Y)
	access, isAccess := accessOf(x.Y)
	if !isAccess {
		return
	}
	c.expression(access)
	if literal, isLiteral := x.X.(*ir.Literal); isLiteral {
		v := workflow.Of(literal.Value)
		c.askOf(access, v, workflow.List(v))
	}
}

// moves takes what is asked of a place in the context as asked of what is put there.
func (c *candidates) moves(t *ir.Task) {
	last := func(p *ir.ContextPath) (values []workflow.Value, asked bool) {
		if p == nil || len(p.Path) == 0 {
			return nil, false
		}
		values, asked = c.anywhere[p.Path[len(p.Path)-1].Value]
		return values, asked
	}
	if values, asked := last(t.SinkTo); asked {
		c.askOutput(t.Output, "", values...)
	}
	switch do := t.Do.(type) {
	case *ir.UseBuiltin:
		values, asked := last(do.Path)
		for _, source := range sourcesOf(do) {
			if asked && source == nil {
				c.ask("", values...)
			} else if asked {
				c.askOf(source, values...)
			}
		}
	case *ir.Import:
		for _, o := range do.Outputs {
			if values, asked := last(o.Parent); asked && o.Child != nil && len(o.Child.Path) > 0 {
				c.ask(o.Child.Path[len(o.Child.Path)-1].Value, values...)
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
	d := do.Args[i].Value
	var values []ir.Expression
	switch {
	case d.Value != nil:
		values = append(values, d.Value)
	case d.Text != nil:
		for _, part := range d.Text.Parts {
			if p, isPlaceholder := part.(*ir.Placeholder); isPlaceholder {
				values = append(values, p)
			}
		}
	}
	var paths []*ir.Access
	for _, v := range values {
		if p, isPlaceholder := v.(*ir.Placeholder); isPlaceholder && len(p.Values) > 0 {
			v = p.Values[0]
		}
		if access, isAccess := accessOf(v); isAccess {
			paths = append(paths, access)
		}
	}

	return paths
}
