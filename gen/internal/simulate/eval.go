package simulate

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// value returns what an expression gives in a run; something unknown if it depends on that.
func (r *workRun) value(x ir.Expression) workflow.Value {
	switch x := x.(type) {
	case *ir.Placeholder:
		return r.placeholder(x)
	case *ir.Literal:
		return workflow.Of(x.Value)
	case *ir.Tuple:
		return workflow.List(r.values(x.Items)...)
	case *ir.Access:
		return r.access(x)
	case *ir.Not:
		return truth(workflow.Not(holds(r.value(x.X))))
	case *ir.Logic:
		return truth(r.logic(x))
	case *ir.Compare, *ir.Contains, *ir.Method:
		return r.apply(x)
	}

	return unknown
}

func (r *workRun) values(list []ir.Expression) []workflow.Value {
	values := make([]workflow.Value, len(list))
	for i, x := range list {
		values[i] = r.value(x)
	}

	return values
}

func (r *workRun) logic(x *ir.Logic) workflow.Truth {
	operands := make([]workflow.Truth, len(x.X))
	for i, operand := range x.X {
		operands[i] = holds(r.value(operand))
	}
	if x.Or {
		return workflow.Any(operands...)
	}

	return workflow.All(operands...)
}

// apply computes what is unknown if an operand is, but for texts that are changed.
func (r *workRun) apply(x ir.Expression) workflow.Value {
	method, isMethod := x.(*ir.Method)
	if isMethod {
		switch v := r.value(method.X); method.Name {
		case "lower":
			return v.Lower()
		case "upper":
			return v.Upper()
		case "strip":
			return v.Strip()
		}
	}
	a, b := r.operands(x)
	if isUnknown(a) || isUnknown(b) {
		return unknown
	}
	switch x := x.(type) {
	case *ir.Compare:
		return workflow.Bool(compare(x.Op, a, b))
	case *ir.Contains:
		return workflow.Bool(workflow.Contains(b, a) != x.Not)
	}
	if method.Name == "startswith" {
		return workflow.Bool(a.StartsWith(b))
	}

	return workflow.Bool(a.EndsWith(b))
}

func (r *workRun) operands(x ir.Expression) (a, b workflow.Value) {
	switch x := x.(type) {
	case *ir.Compare:
		return r.value(x.X), r.value(x.Y)
	case *ir.Contains:
		return r.value(x.X), r.value(x.Y)
	case *ir.Method:
		return r.value(x.X), r.value(x.Arg)
	}

	return unknown, unknown
}

func compare(op ir.CompareOp, a, b workflow.Value) bool {
	switch op {
	case ir.OpEqual:
		return workflow.Equal(a, b)
	case ir.OpNotEqual:
		return !workflow.Equal(a, b)
	case ir.OpLess:
		return workflow.Less(a, b)
	case ir.OpLessEqual:
		return workflow.LessEqual(a, b)
	case ir.OpGreater:
		return workflow.Less(b, a)
	}

	return workflow.LessEqual(b, a)
}

func (r *workRun) access(x *ir.Access) workflow.Value {
	if x == r.probe {
		return r.probed
	}
	v := r.root(x)
	for i, field := range x.Path {
		if v.Kind() == workflow.KindText && isUnknown(v) {
			return unknown
		}
		if i == len(x.Path)-1 && x.Default != nil {
			return v.GetOr(field.Name.Value, r.value(x.Default))
		}
		v = v.Get(field.Name.Value)
	}

	return v
}

func (r *workRun) root(x *ir.Access) workflow.Value {
	switch x.Root {
	case ir.RootContext:
		return r.Context()
	case ir.RootStep:
		return r.outputs[x.Output]
	case ir.RootInput:
		return r.input
	case ir.RootThis:
		return r.this
	case ir.RootResult:
		return r.result
	case ir.RootEvent:
		return workflow.Text(r.event)
	case ir.RootStepName:
		return r.StepName()
	case ir.RootStepOK:
		return workflow.Bool(r.StepOK())
	case ir.RootFeedback:
		if !r.StepOK() {
			return unknown
		}
	case ir.RootAnswer:
		return r.Answer()
	case ir.RootNext:
		return r.named(r.NextState())
	case ir.RootCurrent:
		return r.named(r.CurrentState())
	case ir.RootSteps:
		var members []workflow.Member
		for _, o := range r.flow.Outputs {
			members = append(members, workflow.Member{Name: o.Name.Value, Value: r.outputs[o]})
		}
		return workflow.Present(members...)
	}

	return workflow.None
}

// placeholder returns the first of the values that is there, through the filters.
func (r *workRun) placeholder(p *ir.Placeholder) workflow.Value {
	v := workflow.First(r.values(p.Values)...)
	for _, f := range p.Filters {
		v = r.filter(f, v)
	}

	return v
}

func (r *workRun) filter(f ir.Filter, v workflow.Value) workflow.Value {
	switch f.Name {
	case "upper":
		return workflow.Upper(v)
	case "lower":
		return workflow.Lower(v)
	case "tojson":
		return workflow.JSONText(v)
	case "join":
		separator, _ := f.Arg.Value.(string)
		return workflow.Join(v, separator)
	case "default":
		return workflow.Default(v, r.value(f.Arg))
	}
	if isUnknown(v) {
		return unknown
	}

	return workflow.Length(v)
}

func (r *workRun) render(parts []ir.Part) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Verbatim:
			b.WriteString(part.Text)
		case *ir.Placeholder:
			b.WriteString(r.placeholder(part).String())
		case *ir.IfPart:
			switch holds(r.value(part.Cond)) {
			case workflow.True:
				b.WriteString(r.render(part.Body))
			case workflow.Unknown:
				b.WriteString(mark)
			}
		case *ir.EachPart:
			items := r.value(part.Items)
			if text, _ := items.AsText(); strings.Contains(text, mark) {
				b.WriteString(mark)
			}
			this := r.this
			for _, r.this = range items.Items() {
				b.WriteString(r.render(part.Body))
			}
			r.this = this
		}
	}

	return b.String()
}

// datum returns data of the source as a value.
func (r *workRun) datum(d *ir.Datum) workflow.Value {
	switch d.Kind {
	case ir.DatumText:
		return workflow.Text(r.render(d.Text.Parts))
	case ir.DatumValue:
		return r.value(d.Value)
	case ir.DatumList:
		items := make([]workflow.Value, len(d.List))
		for i, item := range d.List {
			items[i] = r.datum(item)
		}
		return workflow.List(items...)
	case ir.DatumFields:
		return workflow.Object(r.members(d.Fields)...)
	}
	v, err := workflow.Parse([]byte(d.JSON))
	if err != nil {
		return unknown
	}

	return v
}

func (r *workRun) members(fields []ir.DatumField) []workflow.Member {
	members := make([]workflow.Member, len(fields))
	for i, f := range fields {
		members[i] = workflow.Member{Name: f.Name.Value, Value: r.datum(f.Value)}
	}

	return members
}
