package emit_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// telling adds a workflow to p that asks an agent, a function and a person for a value each, and
// then tells what n random conditions and templates over these and its context come to. All values
// have a schema; an untyped workflow has the same expressions and knows nothing of it. The function
// is called tools:look. The same seed gives the same workflow.
func telling(p *ir.Program, seed uint64, name string, n int, typed bool) *ir.Agent {
	b := &workBuilder{
		p: p, o: workflowOptions{Name: name}, rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)),
		work: &ir.Flow{Kind: ir.Workflow, Context: plainLine, Body: &ir.Pipeline{Description: "the top"}},
	}
	look := &ir.Func{Name: textLiteral("tools:look"), Output: record}
	judge := &ir.Step{Name: textLiteral("judge"), Prompt: textLiteral("Judge."), Node: &ir.Oneshot{Output: record}}
	b.work.Conversations = []*ir.Step{judge}
	if b.known(look.Name.Value) == nil {
		p.Funcs = append(p.Funcs, look)
	}
	b.ask("judge", &ir.Run{Step: judge}, ir.Type{Schema: record, Owner: ir.OwnerConversation, OwnerName: judge.Label(name)})
	b.ask("look", &ir.UseFunc{Func: look}, ir.Type{Schema: record, Owner: ir.OwnerFunc, OwnerName: look.Name.Value})
	answer := ir.Type{Schema: record, Owner: ir.OwnerAnswer, OwnerName: name + "/say"}
	before := b.ask("say", &ir.Ask{Answer: answer}, answer)

	scope := &workScope{before: before, input: true}
	template := &ir.Template{Text: textLiteral("a template")}
	for i := range n {
		template.Parts = append(template.Parts, &ir.Verbatim{Text: fmt.Sprintf("%d: ", i)},
			b.tellCondition(b.expression(scope, 3)), b.placeholder(scope), &ir.Verbatim{Text: "\n"})
	}
	b.ask("tell", &ir.PassOn{}, ir.Type{})
	b.work.Body.Tasks[len(b.work.Body.Tasks)-1].Input = &ir.Datum{Kind: ir.DatumText, Text: template}
	if !typed {
		b.forget(template)
	}
	a := &ir.Agent{Name: textLiteral(name), File: emittest.AgentFile(name), Node: b.work}
	p.Agents = append(p.Agents, a)

	return a
}

// tellCondition returns what tells a condition. A block whose condition has arithmetic that may have
// no result fails where the condition is unknown, and whether it may depends on types. Such a
// condition is a value.
func (b *workBuilder) tellCondition(x ir.Expression) ir.Part {
	if hasArithmetic(x) {
		return &ir.Placeholder{Values: []ir.Expression{&ir.Not{X: x}}}
	}

	return &ir.IfPart{Cond: x, Body: []ir.Part{&ir.Verbatim{Text: "holds, "}}}
}

// hasArithmetic reports whether an expression computes with numbers or asks for a length.
func hasArithmetic(x ir.Expression) bool {
	has := false
	ir.WalkExpression(x, func(x ir.Expression) {
		switch x.(type) {
		case *ir.Arithmetic, *ir.FuncCall:
			has = true
		}
	})

	return has
}

// ask adds a step whose output has a type.
func (b *workBuilder) ask(name string, do ir.Op, of ir.Type) *ir.Output {
	o := &ir.Output{Name: textLiteral(name), Type: of}
	b.work.Outputs = append(b.work.Outputs, o)
	b.work.Body.Tasks = append(b.work.Body.Tasks, &ir.Task{Name: o.Name, Do: do, Output: o, Type: of})

	return o
}

// forget takes what is known of types from the context, the outputs and a template.
func (b *workBuilder) forget(t *ir.Template) {
	b.work.Context = nil
	for _, task := range b.work.Body.Tasks {
		task.Type, task.Output.Type = ir.Type{}, ir.Type{}
	}
	for _, part := range t.Parts {
		switch part := part.(type) {
		case *ir.IfPart:
			forget(part.Cond)
		case *ir.Placeholder:
			forget(part)
		}
	}
}

// forget takes what is known of types from an expression.
func forget(x ir.Expression) {
	switch x := x.(type) {
	case *ir.Placeholder:
		forgetAll(x.Values)
	case *ir.Tuple:
		forgetAll(x.Items)
	case *ir.Not:
		forget(x.X)
	case *ir.Logic:
		forgetAll(x.X)
	case *ir.Compare:
		forgetAll([]ir.Expression{x.X, x.Y})
	case *ir.Contains:
		forgetAll([]ir.Expression{x.X, x.Y})
	case *ir.Arithmetic:
		forgetAll([]ir.Expression{x.X, x.Y})
	case *ir.FuncCall:
		forget(x.X)
	case *ir.Method:
		forget(x.X)
		if x.Arg != nil {
			forget(x.Arg)
		}
	case *ir.Access:
		x.Type = ir.Type{}
		for i := range x.Path {
			x.Path[i].Property = nil
		}
		if x.Default != nil {
			forget(x.Default)
		}
	}
}

func forgetAll(list []ir.Expression) {
	for _, x := range list {
		forget(x)
	}
}
