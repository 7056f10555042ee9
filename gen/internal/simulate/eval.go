package simulate

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// value returns what an expression gives in a run; something unknown if it depends on that.
func (r *workRun) value(x ir.Expression) workflow.Value { return expr.Compute(x, r.known) }

// known is the value of what names read, and of what depends on something unknown.
func (r *workRun) known(x ir.Expression) (v workflow.Value, ok bool) {
	switch x := x.(type) {
	case *ir.Placeholder:
		return r.placeholder(x), true
	case *ir.Access:
		return r.access(x), true
	case *ir.Not, *ir.Logic:
		t, isOpen := r.condition(x)
		if isOpen {
			return unknown, true
		}
		return t.Value(), true
	case *ir.Compare:
		return unknown, isUnknown(r.value(x.X)) || isUnknown(r.value(x.Y))
	case *ir.Contains:
		return unknown, isUnknown(r.value(x.X)) || isUnknown(r.value(x.Y))
	case *ir.Method:
		return unknown, x.Arg != nil && (isUnknown(r.value(x.X)) || isUnknown(r.value(x.Arg)))
	}

	return workflow.Value{}, false
}

func (r *workRun) access(x *ir.Access) workflow.Value {
	v := r.root(x)
	for i, field := range x.Path {
		if v.IsText() && isUnknown(v) {
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
		return workflow.Of(r.StepOK())
	case ir.RootFeedback:
		if !r.StepOK() {
			return unknown
		}
	case ir.RootAnswer:
		return r.Answer()
	case ir.RootNext:
		return r.search.named(r.NextState())
	case ir.RootCurrent:
		return r.search.named(r.CurrentState())
	case ir.RootSteps:
		return workflow.Object(ir.Map(r.flow.Outputs, func(o *ir.Output) workflow.Member {
			return workflow.Member{Name: o.Name.Value, Value: r.outputs[o]}
		})...).Present()
	}

	return workflow.Value{}
}

// placeholder returns the first of the values that is there, through the filters.
func (r *workRun) placeholder(p *ir.Placeholder) workflow.Value {
	values := ir.Map(p.Values, r.value)
	v := values[0].Or(values[1:]...)
	for _, f := range p.Filters {
		arg := workflow.Value{}
		if f.Arg != nil {
			arg = workflow.Of(f.Arg.Value)
		}
		filter, _ := builtin.FilterByName(f.Name)
		if filter.Gives == builtin.Number && isUnknown(v) {
			v = unknown
		} else {
			v = filter.Apply(v, arg)
		}
	}

	return v
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
			case workflow.Known(true):
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
		return workflow.List(ir.Map(d.List, r.datum)...)
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
	return ir.Map(fields, func(f ir.DatumField) workflow.Member {
		return workflow.Member{Name: f.Name.Value, Value: r.datum(f.Value)}
	})
}

// mark is a character that no text of a source has: it means what is only known in a run, such as what it is given. Whatever
// is made of an unknown value has it too.
const mark = "\ue000"

// unknown is a value of which nothing is known.
var unknown = workflow.Text(mark)

// isUnknown reports whether something in a value is not known.
func isUnknown(v workflow.Value) bool {
	if text, isText := v.AsText(); isText {
		return strings.Contains(text, mark)
	}

	return strings.Contains(v.JSON(), mark)
}

// holds says whether a value holds as a condition: a text of which a part is known is not empty.
func holds(v workflow.Value) workflow.Truth {
	if text, isText := v.AsText(); isText && text == mark {
		return workflow.Unknown
	}

	return workflow.Known(v.True())
}

// condition returns whether a condition holds in a run: unknown where it compares what is missing. isOpen says that it depends on what is
// only known in a run.
func (r *workRun) condition(x ir.Expression) (t workflow.Truth, isOpen bool) {
	switch x := x.(type) {
	case *ir.Not:
		t, isOpen = r.condition(x.X)
		return t.Not(), isOpen
	case *ir.Logic:
		return r.logic(x)
	}
	v := r.value(x)
	if text, isText := v.AsText(); isText && text == mark {
		return workflow.Unknown, true
	}
	if v.IsNone() && builtin.CanBeUnknown(x) {
		return workflow.Unknown, false
	}

	return holds(v), false
}

// logic joins conditions. One that is not open decides alone where it can.
func (r *workRun) logic(x *ir.Logic) (joined workflow.Truth, isOpen bool) {
	var operands []workflow.Truth
	decisive := workflow.Known(x.Or)
	for _, operand := range x.X {
		t, open := r.condition(operand)
		if !open && t == decisive {
			return t, false
		}
		isOpen = isOpen || open
		operands = append(operands, t)
	}
	if x.Or {
		return operands[0].Or(operands[1:]...), isOpen
	}

	return operands[0].And(operands[1:]...), isOpen
}
