package emit

import (
	"cmp"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// task adds the paragraph of a step.
func (b *sequence) task(t *ir.Task) {
	b.paragraph()
	if b.titled {
		b.add(remark("Step " + t.Name.Value + "."))
	}
	b.do(t)
	b.keep(t)
	b.add(jen.Id("r").Dot("RecordOutput").Call(jen.Lit(t.Name.Value), b.variable(b.value)))
	b.before = t.Output
	b.leave(t)
}

// do adds the work of a step. Afterwards value is its output.
func (b *sequence) do(t *ir.Task) {
	if _, passes := t.Do.(*ir.PassOn); passes {
		if t.Input != nil {
			b.add(jen.Id("value").Op(b.declare(&b.hasValue)).Add(b.datum(t.Input)))
			b.value = "value"
		}
		return
	}

	call := b.call(t.Do, t)
	op := b.declare(&b.hasValue, &b.hasErr)
	b.add(jen.List(jen.Id("value"), jen.Err()).Op(op).Add(b.tried(t, call)))
	b.value = "value"
	b.failed(t)
}

// declare returns := if one of the variables is not declared yet, else =.
func (b *sequence) declare(variables ...*bool) string {
	op := "="
	for _, declared := range variables {
		if !*declared {
			op = ":="
		}
		*declared = true
	}

	return op
}

// failed adds that the step fails if there is an error, which attempt gives in the head of the if.
func (b *sequence) failed(t *ir.Task, attempt ...jen.Code) {
	b.add(jen.If(append(attempt, jen.Err().Op("!=").Nil())...).Block(
		jen.Return(none(), jen.Id("r").Dot("WrapError").Call(jen.Lit(t.Name.Value), jen.Err()))))
}

// keep adds what becomes of a step's output: it is kept for later steps, and put into the context.
func (b *sequence) keep(t *ir.Task) {
	kept, typed := b.w.keeps(t.Output)
	field := jen.Id("r").Dot("steps").Dot(names.StepField(t.Output.Name.Value))
	if typed {
		if !b.hasErr {
			b.add(jen.Var().Err().Error())
			b.hasErr = true
		}
		b.failed(t, jen.List(field, jen.Err()).Op("=").Add(inWorkflow("Decode")).
			Call(b.variable(b.value), jen.Id("read"+names.TypeOf(t.Output.Type))))
	}
	if t.Merges() {
		b.failed(t, jen.Err().Op(":=").Id("r").Dot("MergeContext").Call(b.variable(b.value)))
	}
	if t.SinkTo != nil {
		args := append([]jen.Code{b.variable(b.value)}, pathOf(t.SinkTo)...)
		b.failed(t, jen.Err().Op(":=").Id("r").Dot("SetContext").Call(args...))
	}
	if kept && !typed {
		b.add(field.Op("=").Add(b.variable(b.value)))
	}
}

// pathOf returns the names of a place in the context.
func pathOf(p *ir.ContextPath) []jen.Code { return texted(ir.Values(p.Path)) }

// given returns what a step is given.
func (b *sequence) given(t *ir.Task) *jen.Statement {
	if t.Input == nil {
		return b.variable(b.value)
	}

	return b.datum(t.Input)
}

// givenText returns what a step is given as a text.
func (b *sequence) givenText(t *ir.Task) *jen.Statement {
	if t.Input != nil && t.Input.Kind == ir.DatumText {
		return b.template(t.Input.Text)
	}

	return b.given(t).Dot("String").Call()
}

// argument returns what a function is called with: what the source says, or what the step is given.
func (b *sequence) argument(t *ir.Task, do *ir.UseFunc) *jen.Statement {
	if written := do.Argument(t.Input); written != t.Input {
		return b.datum(written)
	}

	return b.given(t)
}

// toolArguments returns the arguments of a tool as an object.
func (b *sequence) toolArguments(t *ir.Task, do *ir.UseBuiltin, data string) *jen.Statement {
	members := b.members(do.Args)
	if !slices.ContainsFunc(do.Args, func(f ir.DatumField) bool { return f.Name.Value == data }) {
		members = append(members, memberOf(jen.Lit(data), inWorkflow("Text").Call(b.givenText(t))))
	}

	return listed(inWorkflow("Object"), members)
}

// argumentOf returns an argument of a builtin; none if there is none.
func (b *sequence) argumentOf(t *ir.Task, do *ir.UseBuiltin, param builtin.Param) *jen.Statement {
	if arg := ir.FieldOf(do.Args, param.Name); arg != nil {
		return b.datum(arg)
	}
	if param.Data {
		return b.given(t)
	}

	return none()
}

// tried returns the call of a step as often as it is tried.
func (b *sequence) tried(t *ir.Task, call *jen.Statement) *jen.Statement {
	if t.Retries == 0 && t.Timeout == 0 && t.Tokens == 0 && t.USD == 0 && t.Fallback == nil {
		return call
	}

	name := "Try"
	works := []jen.Code{attempt(jen.Return(call))}
	if t.Fallback != nil {
		name = "TryElse"
		works = append(works, b.fallback(t))
	}
	if len(t.Pipelines()) > 0 {
		for i, work := range works {
			works[i] = inWorkflow("Undoing").Call(jen.Id("r"), work)
		}
	}

	return jen.Id("r").Dot(name).Call(append([]jen.Code{policy(t)}, works...)...)
}

// attempt returns a function that does the work once.
func attempt(statements ...jen.Code) *jen.Statement {
	return jen.Func().Params().Params(inWorkflow("Value"), jen.Error()).Block(statements...)
}

// fallback returns what runs when a step has failed: another step, with the same input if it has
// none of its own.
func (b *sequence) fallback(t *ir.Task) *jen.Statement {
	other := *t.Fallback
	other.Input = cmp.Or(other.Input, t.Input)
	inner := b.inner()
	inner.steps([]*ir.Task{&other})

	return attempt(inner.statements...)
}

// policy returns how a step is tried: on one line if it says no more than how often.
func policy(t *ir.Task) *jen.Statement {
	tries := fieldsOf("Step", jen.Lit(t.Name.Value), "Retries", t.Retries)
	bounds := fieldsOf("Timeout", t.Timeout, "Tokens", t.Tokens, "USD", t.USD)
	if len(bounds) == 0 {
		return inWorkflow("Policy").Add(tries.line())
	}

	return inWorkflow("Policy").Add(append(tries, bounds...).braces())
}

// leave adds that the rest of a state is skipped when a person has answered and a row on that leads
// to another state.
func (b *sequence) leave(t *ir.Task) {
	_, asks := t.Do.(*ir.Ask)
	m, s := b.w.places[b.at].machine, b.w.places[b.at].state
	if !asks || m == nil {
		return
	}
	rows := m.ir.Ways(s, ir.OnPause)
	if rows == nil {
		return
	}
	leaves := jen.Return(none(), jen.Id("r").Dot("Leave").Call(b.variable(b.value)))
	switch {
	case rows[0].When != nil:
		next := jen.Id("r").Dot(m.method(names.Next))
		b.add(jen.If(inWorkflow("LeavesState").Call(jen.Op("&").Id("r").Dot("Run"), m.state(s), next)).Block(leaves))
	case rows[0].To.State != s:
		b.add(jen.Line(), leaves)
		b.left = true
	}
}
