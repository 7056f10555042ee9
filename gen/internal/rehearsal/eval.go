package rehearsal

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// eval evaluates expressions, templates and data as a run does, with the values that are known at a point of it.
type eval struct {
	*env
	// result is what a guard, an exit or the result of a map judges. this is the item of the innermost {{#each}} or map.
	result, this workflow.Value
}

func (e eval) formula(f *ir.Formula) workflow.Value { return e.value(f.Root) }

// value returns what an expression gives; something unknown if it depends on that.
func (e eval) value(x ir.Expression) workflow.Value {
	switch x := x.(type) {
	case *ir.Placeholder:
		return e.placeholder(x)
	case *ir.Literal:
		return workflow.Of(x.Value)
	case *ir.Tuple:
		return workflow.List(e.values(x.Items)...)
	case *ir.Access:
		return e.access(x)
	case *ir.Not:
		return truth(not(holds(e.value(x.X))))
	case *ir.Logic:
		return truth(e.logic(x))
	case *ir.Compare:
		return e.compare(x)
	case *ir.Contains:
		return e.contains(x)
	case *ir.Method:
		return e.method(x)
	}

	return unknown
}

func (e eval) values(list []ir.Expression) []workflow.Value {
	values := make([]workflow.Value, len(list))
	for i, x := range list {
		values[i] = e.value(x)
	}

	return values
}

func (e eval) logic(x *ir.Logic) holding {
	found := holdsIf(!x.Or)
	for _, operand := range x.X {
		h := holds(e.value(operand))
		if x.Or {
			found = max(found, h)
		} else {
			found = min(found, h)
		}
	}

	return found
}

func (e eval) compare(x *ir.Compare) workflow.Value {
	a, b := e.value(x.X), e.value(x.Y)
	if isUnknown(a) || isUnknown(b) {
		return unknown
	}
	switch x.Op {
	case ir.OpEqual:
		return workflow.Bool(workflow.Equal(a, b))
	case ir.OpNotEqual:
		return workflow.Bool(!workflow.Equal(a, b))
	case ir.OpLess:
		return workflow.Bool(workflow.Less(a, b))
	case ir.OpLessEqual:
		return workflow.Bool(workflow.LessEqual(a, b))
	case ir.OpGreater:
		return workflow.Bool(workflow.Less(b, a))
	}

	return workflow.Bool(workflow.LessEqual(b, a))
}

func (e eval) contains(x *ir.Contains) workflow.Value {
	item, container := e.value(x.X), e.value(x.Y)
	if isUnknown(item) || isUnknown(container) {
		return unknown
	}

	return workflow.Bool(workflow.Contains(container, item) != x.Not)
}

func (e eval) method(x *ir.Method) workflow.Value {
	v := e.value(x.X)
	switch x.Name {
	case "lower":
		return v.Lower()
	case "upper":
		return v.Upper()
	case "strip":
		return v.Strip()
	}
	arg := e.value(x.Arg)
	if isUnknown(v) || isUnknown(arg) {
		return unknown
	}
	if x.Name == "startswith" {
		return workflow.Bool(v.StartsWith(arg))
	}

	return workflow.Bool(v.EndsWith(arg))
}

func (e eval) access(x *ir.Access) workflow.Value {
	v := e.root(x)
	for i, field := range x.Path {
		if v.Kind() == workflow.KindText && isUnknown(v) {
			return unknown
		}
		if last := i == len(x.Path)-1; last && x.Default != nil {
			return v.GetOr(field.Name.Value, e.value(x.Default))
		}
		v = v.Get(field.Name.Value)
	}

	return v
}

func (e eval) root(x *ir.Access) workflow.Value {
	switch x.Root {
	case ir.RootContext:
		return e.run.Context()
	case ir.RootStep:
		return e.output(x.Output)
	case ir.RootInput:
		return e.input
	case ir.RootThis:
		return e.this
	case ir.RootResult:
		return e.result
	case ir.RootEvent:
		return workflow.Text(e.event)
	case ir.RootStepName:
		return e.lastStep
	case ir.RootStepOK:
		return workflow.Bool(e.event != ir.OnFailure)
	case ir.RootFeedback:
		if e.event == ir.OnFailure {
			return unknown
		}
	case ir.RootAnswer:
		return e.answer
	case ir.RootNext:
		return workflow.First(e.run.NextState(), e.endState())
	case ir.RootCurrent:
		return workflow.First(e.run.CurrentState(), e.endState())
	case ir.RootSteps:
		return e.allOutputs()
	}

	return workflow.None
}

// endState is the end state of the machine that ended last; none in a state of another one.
func (e eval) endState() workflow.Value {
	if e.ended == "" || !e.run.CurrentState().IsNone() {
		return workflow.None
	}

	return workflow.Text(e.ended)
}

// placeholder returns the first of the values that is there, through the filters.
func (e eval) placeholder(p *ir.Placeholder) workflow.Value {
	v := workflow.First(e.values(p.Values)...)
	for _, f := range p.Filters {
		v = e.filter(f, v)
	}

	return v
}

func (e eval) filter(f ir.Filter, v workflow.Value) workflow.Value {
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
		return workflow.Default(v, e.value(f.Arg))
	}
	if isUnknown(v) {
		return unknown
	}

	return workflow.Length(v)
}

// render returns what a template renders.
func (e eval) render(t *ir.Template) workflow.Value {
	if t == nil {
		return workflow.Text("")
	}

	return workflow.Text(e.parts(t.Parts))
}

func (e eval) parts(parts []ir.Part) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Verbatim:
			b.WriteString(part.Text)
		case *ir.Placeholder:
			b.WriteString(e.placeholder(part).String())
		case *ir.IfPart:
			switch holds(e.value(part.Cond)) {
			case always:
				b.WriteString(e.parts(part.Body))
			case maybe:
				b.WriteString(mark)
			}
		case *ir.EachPart:
			b.WriteString(e.each(part))
		}
	}

	return b.String()
}

func (e eval) each(part *ir.EachPart) string {
	items := e.value(part.Items)
	if text, isText := items.AsText(); isText && strings.Contains(text, mark) {
		return mark
	}
	var b strings.Builder
	for _, item := range items.Items() {
		inner := e
		inner.this = item
		b.WriteString(inner.parts(part.Body))
	}

	return b.String()
}

// datum returns data of the source as a value.
func (e eval) datum(d *ir.Datum) workflow.Value {
	switch d.Kind {
	case ir.DatumText:
		return e.render(d.Text)
	case ir.DatumValue:
		return e.value(d.Value)
	case ir.DatumList:
		items := make([]workflow.Value, len(d.List))
		for i, item := range d.List {
			items[i] = e.datum(item)
		}
		return workflow.List(items...)
	case ir.DatumFields:
		return workflow.Object(e.members(d.Fields)...)
	}
	v, err := workflow.Parse([]byte(d.JSON))
	if err != nil {
		return unknown
	}

	return v
}

func (e eval) members(fields []ir.DatumField) []workflow.Member {
	members := make([]workflow.Member, len(fields))
	for i, f := range fields {
		members[i] = workflow.Member{Name: f.Name.Value, Value: e.datum(f.Value)}
	}

	return members
}
