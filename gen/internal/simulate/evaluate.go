package simulate

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// evaluate returns the value of an expression in a run. It is unknown if it depends on an unknown
// value.
func (r *workRun) evaluate(x ir.Expression) workflow.Value { return expr.Compute(x, r.evaluateKnown) }

// evaluateKnown evaluates the expressions that read values, and those with unknown operands.
func (r *workRun) evaluateKnown(x ir.Expression) (v workflow.Value, ok bool) {
	switch x := x.(type) {
	case *ir.Placeholder:
		return r.placeholderValue(x), true
	case *ir.Access:
		return r.accessValue(x), true
	case *ir.Not, *ir.Logic:
		t, isOpen := r.evaluateCondition(x)
		if isOpen {
			return unknown, true
		}
		return t.Value(), true
	case *ir.Compare:
		return unknown, isUnknown(r.evaluate(x.X)) || isUnknown(r.evaluate(x.Y))
	case *ir.Contains:
		return unknown, isUnknown(r.evaluate(x.X)) || isUnknown(r.evaluate(x.Y))
	case *ir.Arithmetic:
		return unknown, isUnknown(r.evaluate(x.X)) || isUnknown(r.evaluate(x.Y))
	case *ir.FuncCall:
		return unknown, isUnknown(r.evaluate(x.X))
	case *ir.Method:
		return unknown, x.Arg != nil && (isUnknown(r.evaluate(x.X)) || isUnknown(r.evaluate(x.Arg)))
	}

	return workflow.Value{}, false
}

func (r *workRun) accessValue(x *ir.Access) workflow.Value {
	v := r.rootValue(x)
	for i, field := range x.Path {
		if v.IsText() && isUnknown(v) {
			return unknown
		}
		if i == len(x.Path)-1 && x.Default != nil {
			return v.GetOr(field.Name.Value, r.evaluate(x.Default))
		}
		v = v.Get(field.Name.Value)
	}

	return v
}

func (r *workRun) rootValue(x *ir.Access) workflow.Value {
	switch x.Root {
	case ir.RootContext:
		return r.Context()
	case ir.RootStep:
		return r.outputs[x.Output]
	case ir.RootInput:
		return r.input
	case ir.RootThis:
		return r.this
	case ir.RootIndex:
		return workflow.Int(int64(r.turn.index))
	case ir.RootIsFirst:
		return workflow.Of(r.turn.index == 0)
	case ir.RootIsLast:
		if r.turn.count == 0 {
			return unknown
		}
		return workflow.Of(r.turn.index == r.turn.count-1)
	case ir.RootAtBound:
		return r.outputs[x.Output]
	case ir.RootItemIndex:
		return workflow.Int(int64(r.item.index))
	case ir.RootItemFirst:
		return workflow.Of(r.item.index == 0)
	case ir.RootItemLast:
		return workflow.Of(r.item.index == r.item.last)
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
	case ir.RootError:
		return r.caughtError()
	case ir.RootAnswer:
		return r.Answer()
	case ir.RootNext:
		return r.search.withStateName(r.NextState())
	case ir.RootCurrent:
		return r.search.withStateName(r.CurrentState())
	case ir.RootSteps:
		return workflow.Object(ir.Map(r.flow.StepOutputs(), func(o *ir.Output) workflow.Member {
			return workflow.Member{Name: o.Name.Value, Value: r.outputs[o]}
		})...).WithoutNone()
	}

	return workflow.Value{}
}

// caughtError returns the failure that led to the path. Its step is known, and the type of a
// question whose time is over.
func (r *workRun) caughtError() workflow.Value {
	caught := r.CaughtError()
	if caught.IsNone() {
		return caught
	}

	kind := unknown
	if isTimeout := caught.Get("type").Equal(workflow.Text(timeoutType)); isTimeout {
		kind = workflow.Text(timeoutType)
	}

	return workflow.Object(
		workflow.Member{Name: "message", Value: unknown}, workflow.Member{Name: "type", Value: kind},
		workflow.Member{Name: "step", Value: caught.Get("step")})
}

// timeoutType is the type of the failure of a question whose time is over.
var timeoutType = runtime.ErrorType(&runtime.TimeoutError{})

// placeholderValue returns the first value that is not None or empty, through the filters.
func (r *workRun) placeholderValue(p *ir.Placeholder) workflow.Value {
	values := ir.Map(p.Values, r.evaluateForText)
	v := values[0].Or(values[1:]...)
	for _, f := range p.Filters {
		filter, _ := builtin.FilterByName(f.Name)
		if filter.Gives&builtin.Text == 0 && filter.Gives != 0 && isUnknown(v) {
			v = unknown
		} else {
			v = builtin.ApplyFilter(v, f)
		}
	}

	return v
}

// evaluateForText returns the value of an expression in a text or data. One without a result is a
// failure.
func (r *workRun) evaluateForText(x ir.Expression) workflow.Value {
	v := r.evaluate(x)
	if v.Problem() != "" {
		r.noteFailure()
	}

	return v
}

// noteFailure records that a text or data cannot be computed.
func (r *workRun) noteFailure() {
	if r.failed != nil {
		*r.failed = true
	}
}

// failsToCompute reports whether a text or data of a task cannot be computed.
func (r *workRun) failsToCompute(t *ir.Task, input *ir.Datum) bool {
	failed := false
	probe := *r
	probe.failed = &failed
	if input != nil {
		probe.datumValue(input)
	}
	switch do := t.Do.(type) {
	case *ir.UseBuiltin:
		probe.datumMembers(do.Args)
	case *ir.Ask:
		if do.Message != nil {
			probe.render(do.Message.Parts)
		}
	case *ir.Run:
		if do.Step != nil && do.Step.Template != nil {
			probe.render(do.Step.Template.Parts)
		}
	case *ir.PassOn:
		if do.WaitText != nil {
			probe.render(do.WaitText.Parts)
		}
	case *ir.Receive, *ir.UseFunc, *ir.Import, *ir.Branch, *ir.Loop, *ir.Parallel, *ir.Machine, *ir.Return: // only the input
	}

	return failed
}

func (r *workRun) render(parts []ir.Part) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Verbatim:
			b.WriteString(part.Text)
		case *ir.Placeholder:
			b.WriteString(r.placeholderValue(part).String())
		case *ir.IfPart:
			switch t, isOpen := r.evaluateCondition(part.Cond); {
			case isOpen:
				b.WriteString(unknownMark)
			case t.Holds():
				b.WriteString(r.render(part.Body))
			case t == workflow.Unknown && builtin.CanBlockFail(part):
				r.noteFailure()
			default:
				b.WriteString(r.render(part.Otherwise))
			}
		case *ir.EachPart:
			items := r.evaluate(part.Items)
			if text, _ := items.AsText(); strings.Contains(text, unknownMark) {
				b.WriteString(unknownMark)
			}
			this, item := r.this, r.item
			r.item.last = items.Len() - 1
			for r.item.index, r.this = range items.Items() {
				b.WriteString(r.render(part.Body))
			}
			r.this, r.item = this, item
		}
	}

	return b.String()
}

// datumValue returns the value of data in the source.
func (r *workRun) datumValue(d *ir.Datum) workflow.Value {
	switch d.Kind {
	case ir.DatumText:
		return workflow.Text(r.render(d.Text.Parts))
	case ir.DatumValue:
		return r.evaluateForText(d.Value)
	case ir.DatumList:
		return workflow.List(ir.Map(d.List, r.datumValue)...)
	case ir.DatumFields:
		return workflow.Object(r.datumMembers(d.Fields)...)
	case ir.DatumAppend:
		return r.datumValue(d.List[0]).Append(r.datumValue(d.List[1]))
	case ir.DatumMerge:
		return r.datumValue(d.List[0]).Merge(r.datumValue(d.List[1]))
	}
	v, err := workflow.Parse([]byte(d.JSON))
	if err != nil {
		return unknown
	}

	return v
}

func (r *workRun) datumMembers(fields []ir.DatumField) []workflow.Member {
	return ir.Map(fields, func(f ir.DatumField) workflow.Member {
		return workflow.Member{Name: f.Name.Value, Value: r.datumValue(f.Value), Optional: f.Optional}
	})
}

// unknownMark is a character that no text of a source has. It represents values that are only known
// in a run, such as its input. Values that are computed from an unknown value contain it, too.
const unknownMark = "\ue000"

// unknown is a value of which nothing is known.
var unknown = workflow.Text(unknownMark)

// isUnknown reports whether a part of a value is not known.
func isUnknown(v workflow.Value) bool {
	if text, isText := v.AsText(); isText {
		return strings.Contains(text, unknownMark)
	}

	return strings.Contains(v.JSON(), unknownMark)
}

// canFit reports whether a value fits a schema, or may fit it in some run.
func canFit(s *ir.Schema, v workflow.Value) bool {
	if !isUnknown(v) {
		return sample.Fits(s, v.JSON())
	}
	s = s.Resolved()
	if s == nil || s.Kind != ir.SchemaObject || !v.IsObject() {
		return true
	}
	for _, name := range s.RequiredNames() {
		if !v.Has(name) {
			return false
		}
	}
	for name, member := range v.Members() {
		property := s.Property(name)
		switch {
		case property != nil && !canFit(property.Schema, member), property == nil && s.Additional == nil:
			return false
		}
	}

	return true
}

// truthOf returns whether a value holds as a condition. A text with a known part is not empty.
func truthOf(v workflow.Value) workflow.Truth {
	if text, isText := v.AsText(); isText && text == unknownMark {
		return workflow.Unknown
	}

	return workflow.Known(v.True())
}

// evaluateCondition returns whether a condition holds in a run. It is unknown if it compares a
// missing value. isOpen is true if it depends on values that are only known in a run.
func (r *workRun) evaluateCondition(x ir.Expression) (t workflow.Truth, isOpen bool) {
	switch x := x.(type) {
	case *ir.Not:
		t, isOpen = r.evaluateCondition(x.X)
		return t.Not(), isOpen
	case *ir.Logic:
		return r.evaluateLogic(x)
	}
	v := r.evaluate(x)
	if text, isText := v.AsText(); isText && text == unknownMark {
		return workflow.Unknown, true
	}
	if v.IsNone() && builtin.CanBeUnknown(x) {
		return workflow.Unknown, false
	}

	return truthOf(v), false
}

// evaluateLogic combines conditions. An operand that is not open decides alone if it can.
func (r *workRun) evaluateLogic(x *ir.Logic) (joined workflow.Truth, isOpen bool) {
	var operands []workflow.Truth
	decisive := workflow.Known(x.Or)
	for _, operand := range x.X {
		t, open := r.evaluateCondition(operand)
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
