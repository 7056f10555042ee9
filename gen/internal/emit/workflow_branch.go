package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// fails adds what happens if a call fails whose error is of the step.
func fails() jen.Code {
	return jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(inWorkflow("Value").Values(), jen.Err()))
}

// run returns the call of the method that runs a pipeline.
func run(p *ir.Pipeline, input *jen.Statement) *jen.Statement {
	return jen.Id("r").Dot(names.Pipeline(p)).Call(input)
}

// choose emits the method that runs a branch of a conditional step.
func (w *workflow) choose(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Branch) {
	b := newParagraphs(w, p)
	var params []jen.Code
	key := jen.Id("key")
	switch {
	case do.Key != nil:
		params = []jen.Code{jen.Id("key").String()}
	case do.Func != nil:
		b.add(jen.List(jen.Id("chosen"), jen.Err()).Op(":=").Add(callFunc(do.Func, b.variable("input"))), fails())
		b.add(jen.Id("key").Op(":=").Add(jen.Id("chosen").Dot("BranchKey").Call()))
	default:
		b.add(jen.Id("key").Op(":=").Add(b.variable("input").Dot("BranchKey").Call()))
	}
	b.add(jen.Switch(key).BlockFunc(func(g *jen.Group) {
		for _, branch := range do.Branches {
			g.Case(text(branch.Name.Value)).Block(jen.Return(run(branch.Body, b.variable("input"))))
		}
	}))
	b.add(jen.Line())
	if do.Default != nil {
		b.add(jen.Return(run(do.Default, b.variable("input"))))
	} else {
		b.add(jen.Return(inWorkflow("Value").Values(), noBranch(t, do)))
	}

	name := names.Work(names.Choose, p, t.Name.Value)
	w.valueMethod(f, name+" runs the branch of step "+t.Name.Value+" that has the key.", name, b, params...)
}

// noBranch returns the error of a key without a branch.
func noBranch(t *ir.Task, do *ir.Branch) *jen.Statement {
	var branches []string
	for _, branch := range do.Branches {
		branches = append(branches, branch.Name.Value)
	}

	return jen.Op("&").Add(inWorkflow("BranchKeyError")).Values(
		jen.Id("Step").Op(":").Lit(t.Name.Value), jen.Id("Key").Op(":").Id("key"),
		jen.Id("Branches").Op(":").Index().String().Values(list(literals(branches))))
}

// repeat emits the method that runs a loop.
func (w *workflow) repeat(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Loop) {
	b := newParagraphs(w, p)
	b.add(jen.Id("value").Op(":=").Add(b.variable("input")))
	turn := []jen.Code{
		jen.Var().Err().Error(),
		jen.If(jen.List(jen.Id("value"), jen.Err()).Op("=").Add(run(do.Body, jen.Id("value"))), jen.Err().Op("!=").Nil()).
			Block(jen.Return(inWorkflow("Value").Values(), jen.Err())),
	}
	b.value, b.result, b.before = "value", "value", lastOutput(do.Body)
	exit := jen.Return(jen.Id("value"), jen.Nil())
	switch {
	case do.Exit != nil:
		turn = append(turn, remark(do.Exit.Text.Value), jen.If(b.formula(do.Exit)).Block(exit))
	case do.Func != nil:
		turn = append(turn,
			jen.List(jen.Id("over"), jen.Err()).Op(":=").Add(callFunc(do.Func, jen.Id("value"))), fails(),
			jen.If(jen.Id("over").Dot("True").Call()).Block(exit))
	}
	b.add(jen.For(jen.Range().Lit(do.Max)).Block(turn...), jen.Line(), jen.Return(inWorkflow("Value").Values(),
		jen.Op("&").Add(inWorkflow("LoopLimitError")).Values(
			jen.Id("Step").Op(":").Lit(t.Name.Value), jen.Id("Turns").Op(":").Lit(do.Max))))

	name := names.Work(names.Repeat, p, t.Name.Value)
	w.valueMethod(f, name+" repeats the steps of "+t.Name.Value+" until its exit holds.", name, b)
}

// lastOutput returns where the output of a pipeline's last step is kept; nil without steps.
func lastOutput(p *ir.Pipeline) *ir.Output {
	if len(p.Tasks) == 0 {
		return nil
	}

	return p.Tasks[len(p.Tasks)-1].Output
}

// each emits the method that runs steps for each item of a list.
func (w *workflow) each(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Loop) {
	b := newParagraphs(w, p)
	b.add(jen.List(jen.Id("items"), jen.Err()).Op(":=").Id("r").Dot("Items").Call(pathOf(do.Items)...), fails())
	if w.kept.this {
		b.add(jen.Id("outer").Op(":=").Id("r").Dot("this"))
	}
	b.add(jen.Id("outputs").Op(":=").Make(jen.Index().Add(inWorkflow("Value")), jen.Len(jen.Id("items"))))
	b.add(jen.For(jen.List(jen.Id("i"), jen.Id("item")).Op(":=").Range().Id("items")).BlockFunc(func(g *jen.Group) {
		if w.kept.this {
			g.Id("r").Dot("this").Op("=").Id("item")
		}
		g.If(jen.List(jen.Id("outputs").Index(jen.Id("i")), jen.Err()).Op("=").Add(run(do.Body, jen.Id("item"))),
			jen.Err().Op("!=").Nil()).Block(jen.Return(inWorkflow("Value").Values(), jen.Err()))
	}))
	if w.kept.this {
		b.add(jen.Id("r").Dot("this").Op("=").Id("outer"))
	}
	b.each(t, do)

	name := names.Work(names.Each, p, t.Name.Value)
	w.valueMethod(f, name+" runs the steps of "+t.Name.Value+" for each item of "+do.Items.Value+", one after another.", name, b)
}

// each adds what a map step returns: the list of the outputs, or what is made of it.
func (b *paragraphs) each(t *ir.Task, do *ir.Loop) {
	outputs := inWorkflow("List").Call(jen.Id("outputs").Op("..."))
	if do.Result == nil {
		b.add(jen.Line(), jen.Return(outputs, jen.Nil()))
		return
	}
	result := view{w: b.w, value: "list", result: "list", before: t.Output, used: b.used}
	datum := result.datum(do.Result)
	if result.used["list"] {
		b.add(jen.Id("list").Op(":=").Add(outputs))
	}
	b.add(jen.Line(), jen.Return(datum, jen.Nil()))
}
