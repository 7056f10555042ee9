package check

import "github.com/agentc-dev/agentc/gen/internal/ir"

// reads are what the expressions and templates of a workflow name.
type reads struct {
	outputs map[*ir.Output]bool
	roots   map[ir.Root]bool
}

// reads returns what a workflow names; it is computed once.
func (u *unit) reads(a *ir.Agent) *reads {
	r := u.workReads[a]
	if r != nil {
		return r
	}
	r = &reads{outputs: map[*ir.Output]bool{}, roots: map[ir.Root]bool{}}
	u.workReads[a] = r
	w, isWorkflow := a.Node.(*ir.Workflow)
	if !isWorkflow {
		return r
	}
	for _, agent := range w.Agents {
		r.template(agent.Template)
	}
	ir.WalkTasks(w.Body, r.task)

	return r
}

func (r *reads) task(t *ir.Task) {
	r.datum(t.Input)
	switch do := t.Do.(type) {
	case *ir.UseFunc:
		r.datum(do.Params)
	case *ir.UseBuiltin:
		r.fields(do.Args)
	case *ir.Hitl:
		r.template(do.Message)
	case *ir.Conditional:
		r.formula(do.Key)
	case *ir.Repeat:
		r.formula(do.Exit)
	case *ir.Each:
		r.datum(do.Result)
	case *ir.Machine:
		for _, row := range do.Rows() {
			if row.When != nil {
				r.formula(row.When.Formula)
			}
		}
	}
}

func (r *reads) formula(f *ir.Formula) {
	if f != nil {
		r.expression(f.Root)
	}
}

func (r *reads) template(t *ir.Template) {
	if t != nil {
		r.parts(t.Parts)
	}
}

func (r *reads) parts(parts []ir.Part) {
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Placeholder:
			r.expressions(part.Values)
		case *ir.IfPart:
			r.expression(part.Cond)
			r.parts(part.Body)
		case *ir.EachPart:
			r.expression(part.Items)
			r.parts(part.Body)
		}
	}
}

func (r *reads) datum(d *ir.Datum) {
	if d == nil {
		return
	}
	r.template(d.Text)
	r.expression(d.Value)
	for _, item := range d.List {
		r.datum(item)
	}
	r.fields(d.Fields)
}

func (r *reads) fields(fields []ir.DatumField) {
	for _, f := range fields {
		r.datum(f.Value)
	}
}

func (r *reads) expressions(list []ir.Expression) {
	for _, x := range list {
		r.expression(x)
	}
}

func (r *reads) expression(x ir.Expression) {
	switch x := x.(type) {
	case *ir.Placeholder:
		r.expressions(x.Values)
	case *ir.Tuple:
		r.expressions(x.Items)
	case *ir.Access:
		r.roots[x.Root] = true
		if x.Output != nil {
			r.outputs[x.Output] = true
		}
		r.expression(x.Default)
	case *ir.Not:
		r.expression(x.X)
	case *ir.Logic:
		r.expressions(x.X)
	case *ir.Compare:
		r.expression(x.X)
		r.expression(x.Y)
	case *ir.Contains:
		r.expression(x.X)
		r.expression(x.Y)
	case *ir.Method:
		r.expression(x.X)
		r.expression(x.Arg)
	}
}
