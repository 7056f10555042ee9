package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// sequence collects the statements of a function that performs operations in order. The function
// is the method that runs a flow, in which operations name their results, or a method of a
// workflow's run, in which steps pass on a value.
type sequence struct {
	// view has the names for expressions of a workflow; it is zero in a flow.
	view
	// flow is the agent that the method runs; nil in a workflow. declared are the declared
	// variables of the flow, finishes the variables with the end of a run or an answer.
	flow               *ir.Agent
	declared, finishes map[*ir.Output]bool
	// at is the pipeline of a workflow.
	at         *ir.Pipeline
	statements []jen.Code
	// hasValue and hasErr are set if the variables value and err are declared.
	hasValue, hasErr bool
	// titled is set if each step has a comment with its name.
	titled bool
}

// newSequence begins a method of a workflow's run. The first step gets the method's input.
func newSequence(w *workflow, p *ir.Pipeline) *sequence {
	return &sequence{view: view{w: w, value: "input", item: w.items[p], used: map[string]bool{}}, at: p}
}

// newInner returns an empty sequence in b.
func (b *sequence) newInner() *sequence {
	return &sequence{view: b.view, flow: b.flow, declared: b.declared, finishes: b.finishes, at: b.at}
}

// bodyStatements returns the statements of a pipeline in a flow.
func (b *sequence) bodyStatements(p *ir.Pipeline) []jen.Code {
	inner := b.newInner()
	inner.addFlowTasks(p)

	return inner.statements
}

func (b *sequence) add(statements ...jen.Code) { b.statements = append(b.statements, statements...) }

// addCall adds a call with a named result. The function returns its error.
func (b *sequence) addCall(name string, call *jen.Statement) {
	b.add(jen.List(jen.Id(name), jen.Err()).Op(":=").Add(call), b.returnOnError())
}

// returnOnError returns from the function on an error; attempt is the init of the if.
func (b *sequence) returnOnError(attempt ...jen.Code) jen.Code {
	none := noneCode()
	if b.flow != nil {
		none = inRuntime("Finish").Values()
	}

	return jen.If(append(attempt, jen.Err().Op("!=").Nil())...).Block(jen.Return(none, jen.Err()))
}

// addEmptyLine adds an empty line, unless it would be the first.
func (b *sequence) addEmptyLine() {
	if len(b.statements) > 0 {
		b.add(jen.Line())
	}
}

// stepCallCode returns the call that does the work of a step of a workflow and can fail. Loops and
// branches are methods, because steps can be retried and have a fallback.
func (b *sequence) stepCallCode(op ir.Op, t *ir.Task) *jen.Statement {
	switch op := op.(type) {
	case *ir.Run:
		return b.stepRunCode(op, t)
	case *ir.Ask:
		return b.askCode(op, t)
	case *ir.UseFunc:
		return funcCallCode(op.Func, b.funcArgument(t, op))
	case *ir.UseBuiltin:
		return b.builtinCode(t, op)
	case *ir.PassOn: // a wait
		if op.WaitText != nil {
			return jen.Id("r").Dot("WaitFor").Call(jen.Lit(t.Name.Value), b.templateCode(op.WaitText), b.inputCode(t))
		}
		return jen.Id("r").Dot("Wait").Call(jen.Lit(t.Name.Value), durationCode(op.Wait), b.inputCode(t))
	case *ir.Loop:
		if op.Wraps {
			return runPipelineCode(op.Body, b.inputCode(t))
		}
	case *ir.Receive, *ir.Import, *ir.Machine, *ir.Branch, *ir.Parallel, *ir.Return:
	}

	return jen.Id("r").Dot(names.Work(names.VerbsOf(op)[0], b.at, t.Name.Value)).Call(append(b.branchKeyArgument(op), b.inputCode(t))...)
}

// stepRunCode returns the call that runs an agent of the workflow or the project.
func (b *sequence) stepRunCode(r *ir.Run, t *ir.Task) *jen.Statement {
	switch {
	case r.Agent != nil:
		run := jen.Id("r").Dot("app").Dot(names.Run(r.Agent.Agent.Name.Value)).Call(jen.Id("r").Dot("Fx").Call(), b.inputTextCode(t))
		return jen.Id("r").Dot("ResultOf").Call(run)
	case r.Step.Template != nil && b.w.isRemembered(r.Step):
		return jen.Id("r").Dot(names.AskAgent(r.Step.Name.Value)).Call(historyCode(r), b.inputCode(t))
	case r.Step.Template != nil:
		return jen.Id("r").Dot(names.AskAgent(r.Step.Name.Value)).Call(b.inputCode(t))
	case r.History != nil:
		return jen.Id("r").Dot("Converse").Call(historyCode(r), jen.Op("&").Id(names.Spec(r.Step.Label(b.w.name))), b.inputCode(t))
	}

	return jen.Id("r").Dot("Agent").Call(jen.Op("&").Id(names.Spec(r.Step.Label(b.w.name))), b.inputCode(t))
}

// askCode returns the call that asks a person.
func (b *sequence) askCode(op *ir.Ask, t *ir.Task) *jen.Statement {
	message, spec := b.inputTextCode, jen.Nil()
	if op.Message != nil {
		message = func(*ir.Task) *jen.Statement { return b.templateCode(op.Message) }
	}
	if op.Answer.Schema != nil {
		spec = jen.Op("&").Id(names.AnswerSpec(op.Answer.OwnerName))
	}

	args := []jen.Code{jen.Lit(t.Name.Value), message(t), spec}
	if op.Timeout == 0 {
		return jen.Id("r").Dot("Ask").Call(args...)
	}
	limit := newFields("Timeout", op.Timeout, "OnTimeout", op.OnTimeout.Value)

	return jen.Id("r").Dot("AskWithin").Custom(broken, append([]jen.Code{inWorkflow("AnswerLimit").Add(limit.onOneLine())}, args...)...)
}

// funcCallCode returns the call of a method of Funcs.
func funcCallCode(f *ir.Func, argument *jen.Statement) *jen.Statement {
	name := f.Name.Value
	args := []jen.Code{jen.Lit(name), argument, jen.Id("r").Dot("app").Dot(names.ApplyFunc(name))}
	if len(funcSpecFields(f)) == 0 {
		return jen.Id("r").Dot("Call").Call(args...)
	}

	return jen.Id("r").Dot("CallDeclared").Custom(broken, append(args, jen.Id(names.FuncSpec(name)))...)
}

// builtinCode returns the call of a builtin step.
func (b *sequence) builtinCode(t *ir.Task, do *ir.UseBuiltin) *jen.Statement {
	step, _ := builtin.StepByName(do.Builtin)
	if step.Tool != "" {
		return jen.Id("r").Dot("Tool").Call(jen.Lit(step.Tool), b.toolArgumentsCode(t, do, step.Data().Name))
	}
	receiver, params := jen.Id("r"), step.Params
	if step.OfRun == nil {
		receiver, params = b.builtinArgument(t, do, params[0]), params[1:]
	}

	return receiver.Dot(step.Go).Call(ir.Map(params, func(p builtin.Param) jen.Code { return b.builtinArgument(t, do, p) })...)
}

// keyForm is how the key of a conditional step is computed, and passed to the method that runs a
// branch.
type keyForm int

const (
	// keyTruth is a condition that is never unknown: a bool.
	keyTruth keyForm = iota
	// keyDecision is a condition that can be unknown: a workflow.Decision.
	keyDecision
	// keyText is a value that is always there: the name of a branch.
	keyText
	// keyChosen is a value that can be missing: a workflow.Chosen.
	keyChosen
)

// keyFormOf returns the form of the key of a conditional step.
func (v *view) keyFormOf(x ir.Expression) keyForm {
	s := v.scalarOf(x)
	switch {
	case v.canBeMissing(x) && builtin.CanBeUnknown(x):
		return keyDecision
	case v.canBeMissing(x):
		return keyChosen
	case s.isAlwaysThere() && s.kind == ir.SchemaBoolean:
		return keyTruth
	}

	return keyText
}

// branchKeyArgument returns the first argument of the method of a conditional step: its key, which
// is evaluated at the step.
func (b *sequence) branchKeyArgument(op ir.Op) []jen.Code {
	branch, isBranch := op.(*ir.Branch)
	if !isBranch || branch.Key == nil {
		return nil
	}
	x := branch.Key.Root
	var key *jen.Statement
	switch b.keyFormOf(x) {
	case keyTruth:
		key = b.formulaCode(branch.Key)
	case keyDecision:
		key = callWithArgs(b.truthValueCode(x).Dot("Decide"), b.sourceAndOperands(branch.Key.Text, x))
	case keyText:
		key = b.valueCode(x).Dot("BranchKey").Call()
	case keyChosen:
		key = callWithArgs(b.valueCode(x).Dot("Choose"), b.sourceAndOperands(branch.Key.Text, x))
	}

	return []jen.Code{key}
}

// canBeMissing reports whether the key of branches can be missing: a condition can be unknown, or a
// value can be missing.
func (v *view) canBeMissing(x ir.Expression) bool {
	if builtin.CanBeUnknown(x) {
		return v.canBeUnknown(x)
	}

	return !v.scalarOf(x).isAlwaysThere() && builtin.KindsOfExpression(x)&builtin.None != 0
}
