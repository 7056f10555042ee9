package emit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// telling adds a workflow to p that asks an agent, a function and a person for a value each, and
// then tells what n random conditions and templates over these and its context come to, and half as
// many in a map over objects of the context, with its item. All values
// have a schema; an untyped workflow has the same expressions and knows nothing of it. The function
// is called tools:look. The same seed gives the same workflow.
func telling(p *ir.Program, seed uint64, name string, n int, typed bool) *ir.Agent {
	b := &workBuilder{
		p: p, o: workflowOptions{Name: name}, rand: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)),
		work: &ir.Flow{Kind: ir.Workflow, Context: contextWithRows, Body: &ir.Pipeline{Description: "the top"}},
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
	template := b.tellingTemplate(scope, n)
	tell := b.ask("tell", &ir.PassOn{}, ir.Type{})
	b.lastTask().Input = &ir.Datum{Kind: ir.DatumText, Text: template}

	ofItem := b.tellingTemplate(&workScope{input: true, this: true, item: plainLine}, n/2)
	rows := b.ask("rows", b.mapOverRows(ofItem), ir.Type{})
	b.ask("end", &ir.PassOn{}, ir.Type{})
	b.lastTask().Input = &ir.Datum{Kind: ir.DatumText, Text: &ir.Template{Text: textLiteral("a template"), Parts: []ir.Part{
		&ir.Placeholder{Values: []ir.Expression{ir.OutputAccess(tell)}},
		&ir.Placeholder{Values: []ir.Expression{ir.OutputAccess(rows)}, Filters: []ir.Filter{{Name: "join", Args: []*ir.Literal{{Value: ""}}}}},
	}}}
	if !typed {
		b.forget(template, ofItem)
	}
	a := &ir.Agent{Name: textLiteral(name), File: emittest.AgentFile(name), Node: b.work}
	p.Agents = append(p.Agents, a)

	return a
}

// contextWithRows is plainLine with a list of such objects.
var contextWithRows = withRows(plainLine)

func withRows(s *ir.Schema) *ir.Schema {
	list := &ir.Schema{Kind: ir.SchemaArray, Items: s}
	all := *s
	all.Properties = append(slices.Clip(s.Properties), &ir.Property{Name: textLiteral("rows"), Required: true, Schema: list})
	all.JSON = strings.Replace(s.JSON, `"properties":{`, `"properties":{"rows":{"type":"array","items":`+s.JSON+`},`, 1)

	return &all
}

// mapOverRows returns a map over the rows of the context, whose body tells a template.
func (b *workBuilder) mapOverRows(t *ir.Template) *ir.Loop {
	output := &ir.Output{Name: textLiteral("row")}
	b.work.Outputs = append(b.work.Outputs, output)
	row := &ir.Task{Name: output.Name, Do: &ir.PassOn{}, Output: output, Input: &ir.Datum{Kind: ir.DatumText, Text: t}}

	return &ir.Loop{
		Over: path("rows").Access(ir.Type{}, contextWithRows),
		Body: &ir.Pipeline{Name: []string{"rows", "body"}, Description: "a map", Tasks: []*ir.Task{row}},
	}
}

// tellingTemplate returns a template with n random conditions and placeholders, a line each.
func (b *workBuilder) tellingTemplate(s *workScope, n int) *ir.Template {
	t := &ir.Template{Text: textLiteral("a template")}
	for i := range n {
		t.Parts = append(t.Parts, &ir.Verbatim{Text: fmt.Sprintf("%d: ", i)},
			b.tellCondition(b.expression(s, 3)), b.placeholder(s), &ir.Verbatim{Text: "\n"})
	}

	return t
}

// lastTask returns the newest step at the top.
func (b *workBuilder) lastTask() *ir.Task { return b.work.Body.Tasks[len(b.work.Body.Tasks)-1] }

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

// forget takes what is known of types from the context, the outputs and templates.
func (b *workBuilder) forget(templates ...*ir.Template) {
	b.work.Context = nil
	for _, task := range b.work.Body.Tasks {
		task.Type, task.Output.Type = ir.Type{}, ir.Type{}
	}
	for _, t := range templates {
		for _, part := range t.Parts {
			switch part := part.(type) {
			case *ir.IfPart:
				forget(part.Cond)
			case *ir.Placeholder:
				forget(part)
			}
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
