package emit

import (
	"cmp"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// addTask adds the paragraph of a step.
func (b *sequence) addTask(t *ir.Task) {
	if _, receives := t.Do.(*ir.Receive); receives {
		b.addReceive(t)
		return
	}
	switch t.Part {
	case ir.PartTurn: // the variable still has the output of the turn
		return
	case ir.PartState:
		b.addState(t)
		return
	}
	b.addEmptyLine()
	if b.titled {
		b.add(newRemark(remarkOf(t)))
	}
	b.addWork(t)
	b.addOutputUse(t)
	if t.Part == 0 {
		b.add(jen.Id("r").Dot("RecordOutput").Call(jen.Lit(t.Name.Value), b.useVariable(b.value)))
	}
	b.before = t.Output
	b.addLeave(t)
}

// addReceive adds that the input of the workflow is read and kept. It is not a step: it has no event,
// and the run fails with its error.
func (b *sequence) addReceive(t *ir.Task) {
	b.add(
		jen.List(jen.Id("received"), jen.Err()).Op(":=").Add(inWorkflow("Receive")).
			Call(jen.Op("&").Id("r").Dot("Run"), b.useVariable(b.value), jen.Id("read"+names.TypeOf(t.Type))),
		b.returnOnError())
	b.hasErr = true
	value := jen.Id("received").Dot("Value")
	field := jen.Id("r").Dot("steps").Dot(names.StepField(t.Output.Name.Value)).Op("=")
	switch {
	case b.w.reads.typed[t.Output]:
		b.add(field.Id("received"))
	case b.w.reads.isKept(t.Output):
		b.add(field.Add(value))
	}
	b.add(jen.Id("value").Op(":=").Add(value))
	b.hasValue, b.value, b.before = true, "value", t.Output
}

// remarkOf returns the comment before the statements of a step, or of a part of one.
func remarkOf(t *ir.Task) string {
	switch t.Part {
	case ir.PartLoop:
		return "The turns."
	case ir.PartOutput, ir.PartResult:
		return "The output."
	}

	if t.Part == ir.PartSkipped {
		return "The steps that a loop skips at its bound."
	}

	return "Step " + t.Name.Value + "."
}

// addState adds the assignment of the variables of a loop. The value that is passed on stays as it
// is.
func (b *sequence) addState(t *ir.Task) {
	b.addEmptyLine()
	b.add(newRemark("The variables."))
	value := b.datumCode(t.Input)
	switch {
	case builtin.CanTextFail(t):
		b.add(jen.List(jen.Id("state"), jen.Err()).Op(":=").Add(checkedCode(value, jen.Nil())))
		b.hasErr = true
		b.addStepFailure(t)
		value = jen.Id("state")
	case !b.hasErr:
		b.add(jen.Var().Err().Error())
		b.hasErr = true
	}
	field := jen.Id("r").Dot("steps").Dot(names.StepField(t.Output.Name.Value))
	b.addStepFailure(t, jen.Err().Op("=").Add(field).Dot("Update").Call(value, jen.Id("read"+names.TypeOf(t.Output.Type))))
}

// addDecoding adds that an output is kept as a value of its Go type.
func (b *sequence) addDecoding(t *ir.Task, value *jen.Statement) {
	field := jen.Id("r").Dot("steps").Dot(names.StepField(t.Output.Name.Value))
	b.addStepFailure(t, jen.List(field, jen.Err()).Op("=").Add(inWorkflow("Decode")).Call(value, jen.Id("read"+names.TypeOf(t.Output.Type))))
}

// addWork adds the work of a step. Afterwards value is its output.
func (b *sequence) addWork(t *ir.Task) {
	if do, passes := t.Do.(*ir.PassOn); passes && !do.Waits() {
		switch {
		case t.Input == nil:
		case builtin.CanTextFail(t):
			op := b.assignOperator(&b.hasValue, &b.hasErr)
			b.add(jen.List(jen.Id("value"), jen.Err()).Op(op).Add(b.retryCode(t, checkedCode(b.datumCode(t.Input), jen.Nil()))))
			b.value = "value"
			b.addStepFailure(t)
		default:
			input := b.datumCode(t.Input)
			op := b.assignOperator(&b.hasValue)
			isItself := op == "=" && input.GoString() == "value" // go vet refuses value = value
			if !isItself {
				b.add(jen.Id("value").Op(op).Add(input))
			}
			b.value = "value"
		}
		return
	}

	op := b.assignOperator(&b.hasValue, &b.hasErr)
	b.add(jen.List(jen.Id("value"), jen.Err()).Op(op).Add(b.tryCode(t)))
	b.value = "value"
	b.addStepFailure(t)
}

// tryCode returns the attempts of a step that does more than to pass a value on.
func (b *sequence) tryCode(t *ir.Task) *jen.Statement {
	call := b.stepCallCode(t.Do, t)
	if builtin.CanTextFail(t) {
		call = checkedCode(call)
	}

	return b.retryCode(t, call)
}

// isReplaced reports whether a task is the turns of a loop whose output, the next task, does not read
// theirs.
func isReplaced(turns, next *ir.Task) bool {
	if turns.Part != ir.PartLoop || next.Part != ir.PartOutput {
		return false
	}
	isRead := false
	next.WalkInputs(func(x *ir.Access) {
		isRead = isRead || x.Root == ir.RootSteps || x.Root == ir.RootStep && x.Output == turns.Output
	})

	return !isRead
}

// addIgnoredTurns adds the turns of a loop whose output is not read.
func (b *sequence) addIgnoredTurns(t *ir.Task) {
	b.add(newRemark(remarkOf(t)))
	op := ":="
	if b.hasErr {
		op = "="
	}
	b.addStepFailure(t, jen.List(jen.Id("_"), jen.Err()).Op(op).Add(b.tryCode(t)))
	b.before = t.Output
}

// assignOperator returns := if one of the variables is not declared yet, else =.
func (b *sequence) assignOperator(variables ...*bool) string {
	op := "="
	for _, declared := range variables {
		if !*declared {
			op = ":="
		}
		*declared = true
	}

	return op
}

// addStepFailure adds that the step fails on an error; attempt is the init of the if. A part of a
// loop leaves the error to the loop.
func (b *sequence) addStepFailure(t *ir.Task, attempt ...jen.Code) {
	if t.Part != 0 {
		b.add(b.returnOnError(attempt...))
		return
	}
	b.add(jen.If(append(attempt, jen.Err().Op("!=").Nil())...).Block(
		jen.Return(noneCode(), jen.Id("r").Dot("WrapError").Call(jen.Lit(t.Name.Value), jen.Err()))))
}

// addOutputUse adds the use of a step's output: it is kept for later steps, and put into the
// context.
func (b *sequence) addOutputUse(t *ir.Task) {
	typed := b.w.reads.typed[t.Output]
	field := jen.Id("r").Dot("steps").Dot(names.StepField(t.Output.Name.Value))
	if typed {
		if !b.hasErr {
			b.add(jen.Var().Err().Error())
			b.hasErr = true
		}
		b.addDecoding(t, b.useVariable(b.value))
	}
	if t.MergesOutput() {
		b.addStepFailure(t, jen.Err().Op(":=").Add(b.mergeCode(t)))
	}
	if t.SinkTo != nil {
		args := append([]jen.Code{b.useVariable(b.value)}, contextPath(t.SinkTo)...)
		b.addStepFailure(t, jen.Err().Op(":=").Id("r").Dot("SetContext").Call(args...))
	}
	if !typed && b.w.isKept(t.Output) {
		b.add(field.Op("=").Add(b.useVariable(b.value)))
	}
}

// mergeCode returns the call that merges the output of a step, or some of its fields, into the
// context.
func (b *sequence) mergeCode(t *ir.Task) *jen.Statement {
	if t.MergedFields == nil {
		return jen.Id("r").Dot("MergeContext").Call(b.useVariable(b.value))
	}

	return jen.Id("r").Dot("MergeFields").Call(append([]jen.Code{b.useVariable(b.value)}, textLiterals(ir.Values(t.MergedFields))...)...)
}

// contextPath returns the names of a path in the context.
func contextPath(p *ir.ContextPath) []jen.Code { return textLiterals(ir.Values(p.Path)) }

// inputCode returns the input of a step.
func (b *sequence) inputCode(t *ir.Task) *jen.Statement {
	if t.Input == nil {
		return b.useVariable(b.value)
	}

	return b.datumCode(t.Input)
}

// inputTextCode returns the input of a step as a text.
func (b *sequence) inputTextCode(t *ir.Task) *jen.Statement {
	if t.Input != nil && t.Input.Kind == ir.DatumText {
		return b.templateCode(t.Input.Text)
	}

	return b.inputCode(t).Dot("String").Call()
}

// funcArgument returns the argument of a function: from the source, or the input of the step.
func (b *sequence) funcArgument(t *ir.Task, do *ir.UseFunc) *jen.Statement {
	if written := do.Argument(t.Input); written != t.Input {
		return b.datumCode(written)
	}

	return b.inputCode(t)
}

// toolArgumentsCode returns the arguments of a tool as an object.
func (b *sequence) toolArgumentsCode(t *ir.Task, do *ir.UseBuiltin, data string) *jen.Statement {
	members := b.membersCode(do.Args)
	if !slices.ContainsFunc(do.Args, func(f ir.DatumField) bool { return f.Name.Value == data }) {
		members = append(members, memberCode(jen.Lit(data), inWorkflow("Text").Call(b.inputTextCode(t))))
	}

	return callWithArgs(inWorkflow("Object"), members)
}

// builtinArgument returns an argument of a builtin, or the missing value.
func (b *sequence) builtinArgument(t *ir.Task, do *ir.UseBuiltin, param builtin.Param) *jen.Statement {
	if arg := ir.FieldOf(do.Args, param.Name); arg != nil {
		return b.datumCode(arg)
	}
	if param.Data {
		return b.inputCode(t)
	}

	return noneCode()
}

// retryCode returns the call of a step with its retries.
func (b *sequence) retryCode(t *ir.Task, call *jen.Statement) *jen.Statement {
	if !t.IsTried() {
		return call
	}

	name := "Try"
	works := []jen.Code{attemptFunc(jen.Return(call))}
	if t.FailureFallback() != nil {
		name = "TryElse"
		works = append(works, b.fallbackCode(t))
	}
	if t.UndoesFailures() {
		for i, work := range works {
			works[i] = inWorkflow("UndoOnError").Call(jen.Id("r"), work)
		}
	}

	return jen.Id("r").Dot(name).Call(append([]jen.Code{b.policyCode(t)}, works...)...)
}

// attemptFunc returns a function that does the work once.
func attemptFunc(statements ...jen.Code) *jen.Statement {
	return jen.Func().Params().Params(inWorkflow("Value"), jen.Error()).Block(statements...)
}

// fallbackCode returns the fallback of a step: another step, with the same input unless it has its
// own.
func (b *sequence) fallbackCode(t *ir.Task) *jen.Statement {
	other := *t.FailureFallback()
	other.Input = cmp.Or(other.Input, t.Input)
	inner := b.newInner()
	inner.addSteps([]*ir.Task{&other})

	return attemptFunc(inner.statements...)
}

// policyCode returns the retry policy of a step, on one line if it has only the number of attempts.
func (b *sequence) policyCode(t *ir.Task) *jen.Statement {
	tries := newFields("Step", jen.Lit(t.Name.Value), "Retries", t.Retries)
	bounds := newFields("Backoff", t.Backoff, "MaxBackoff", t.MaxBackoff, "Timeout", t.Timeout, "Within", t.Within, "Tokens", t.Tokens, "USD", t.USD)
	if late := t.TimeoutFallback(); late != nil {
		output := jen.Func().Params().Add(inWorkflow("Value")).Block(jen.Return(b.datumCode(late.Input)))
		bounds = append(bounds, newFields("OnTimeout", output)...)
	}
	if len(bounds) == 0 {
		return inWorkflow("Policy").Add(tries.onOneLine())
	}

	return inWorkflow("Policy").Add(append(tries, bounds...).onLines())
}

// addLeave adds that the rest of a state is skipped if a row leads to another state after a
// person's answer.
func (b *sequence) addLeave(t *ir.Task) {
	rows := b.w.rowsOnAnswer(b.at, t)
	if rows == nil {
		return
	}
	m, s := b.w.places[b.at].machine, b.w.places[b.at].state
	leaves := jen.Return(noneCode(), jen.Id("r").Dot("Leave").Call(b.useVariable(b.value)))
	switch {
	case rows[0].When != nil:
		next := jen.Id("r").Dot(m.methodName(names.Next))
		b.add(jen.If(inWorkflow("TryPauseRows").Call(jen.Op("&").Id("r").Dot("Run"), m.stateConstant(s), next)).Block(leaves))
	case rows[0].To.State != s:
		b.add(jen.Line(), leaves)
	}
}
