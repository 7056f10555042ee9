package emit

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// runMethod emits the method of App that runs an agent. does is what it does besides, in sentences.
func runMethod(f *jen.File, a *ir.Agent, does string, body func(g *jen.Group)) {
	name := a.Name.Value
	declare(f, strings.TrimSpace(sentence(names.Run(name)+" runs "+name, a.Description.Value)+" "+does),
		method(names.Run(name), jen.Id("fx").Add(in("Effects")), jen.Id("input").String(), jen.Id("at").Op("...").Add(in("rt.Place"))).
			BlockFunc(func(g *jen.Group) {
				limited(g, a)
				body(g)
			}))
}

// emitEntry emits the method of App that runs an agent on an engine. What it returns is typed where the agent's value, or the context of
// a workflow, has a schema.
func emitEntry(f *jen.File, a *ir.Agent) {
	name := a.Name.Value
	doc := names.Entry(name) + " runs " + name + " on an engine."
	head := ofApp(names.Entry(name))
	params := []jen.Code{jen.Id("ctx").Qual("context", "Context"), jen.Id("engine").Add(in("compiled.Engine")), jen.Id("input").String()}
	program := []jen.Code{jen.Id("a").Dot("Program").Call(), jen.Lit(name), jen.Id("input")}
	typed := append([]jen.Code{jen.Id("ctx"), jen.Id("engine")}, program...)
	result := func(typ string) *jen.Statement { return in("Result").Types(jen.Id(typ)) }

	w, isWorkflow := a.Node.(*ir.Workflow)
	switch typ := valueType(a); {
	case isWorkflow && w.Context != nil:
		typ = names.Context(name)
		doc = names.Entry(name) + " runs " + name + " on an engine, from an initial context to the final one."
		head.Custom(broken, append(params, jen.Id("initial").Id(typ))...).Params(result(typ), jen.Error()).Block(
			jen.Return(in("compiled.RunFrom").Call(append(typed, jen.Id("initial"), jen.Id("read"+typ))...)))
	case typ != "":
		head.Params(params...).Params(result(typ), jen.Error()).Block(
			jen.Return(in("compiled.Run").Call(append(typed, jen.Id("read"+typ))...)))
	default:
		head.Params(params...).Params(in("Finish"), jen.Error()).Block(
			jen.Return(jen.Id("engine").Dot("Run").Call(append([]jen.Code{jen.Id("ctx")}, program...)...)))
	}
	declare(f, doc, head)
}

// valueType is the Go type of what an agent finishes with; "" if that is any text.
func valueType(a *ir.Agent) string {
	if steps := a.Conversations(); len(steps) == 1 && steps[0].Output() != nil && steps[0].List() == nil {
		switch a.Node.(type) {
		case *ir.React, *ir.Oneshot:
			return names.Output(a.Name.Value)
		}
	}

	return ""
}

// finishes says what the last parameter of a method is that runs an agent which chooses its key.
const finishes = "at says with which keys it may finish; without at, with any."

// method returns the head of a method of App that returns a finish.
func method(name string, params ...jen.Code) *jen.Statement {
	return ofApp(name).Params(params...).Params(in("Finish"), jen.Error())
}

// run emits the method that runs the machine, and the places of its states.
func (m *machine) run(f *jen.File) {
	runMethod(f, m.agent, finishes, m.loop)
	emitPlaces(f, m.name, m.places(), "the keys with which the agents of its states may finish")
}

// places returns the places of the states in which an agent runs.
func (m *machine) places() []place {
	var places []place
	for _, s := range m.ir.States {
		if s.Agent != nil {
			places = append(places, m.place(s))
		}
	}

	return places
}

func (m *machine) place(s *ir.State) place { return place{m.name, s.Name.Value, s.Place()} }

func (m *machine) loop(g *jen.Group) {
	g.Id("walk").Op(":=").Add(in("rt.NewWalk")).Call(jen.Id("fx"), jen.Lit(m.name), jen.Lit(m.ir.MaxSteps), jen.Id("input"))
	m.listens(g)
	if m.use.any {
		m.startGuards(g)
	}
	g.Line()
	g.Id("state").Op(":=").Add(m.state(m.ir.Initial.State))
	if slices.ContainsFunc(m.ir.States, func(s *ir.State) bool { return !s.Terminal() }) {
		g.For(jen.Op("!").Id("state").Dot("Terminal").Call().Op("&&").Add(entered())).BlockFunc(m.round)
	}
	for _, s := range m.ir.States {
		if s.Terminal() && s.Agent != nil {
			g.If(jen.Id("state").Op("==").Add(m.state(s)).Op("&&").Add(entered())).Block(
				jen.Return(jen.Id("walk").Dot("Last").Call(m.runAgent(s))))
		}
	}
	g.Line()
	g.Return(jen.Id("walk").Dot("End").Call())
}

// entered enters the state, unless the run is over.
func entered() *jen.Statement {
	return jen.Id("walk").Dot("Enter").Call(jen.Id("state").Dot("String").Call())
}

// round emits what the loop does in a state that is no terminal: its agent runs, then a row is found and taken.
func (m *machine) round(g *jen.Group) {
	if m.use.any {
		g.Id("guards").Dot("Visits").Index(jen.Id("state")).Op("++")
	}
	g.Switch(jen.Id("state")).BlockFunc(func(g *jen.Group) {
		for _, s := range m.ir.States {
			if s.Agent != nil && !s.Terminal() {
				g.Case(m.state(s)).Block(jen.Id("walk").Dot("Did").Call(m.runAgent(s)))
			}
		}
	})
	m.step(g)
}

// runAgent returns the call that runs the agent of a state.
func (m *machine) runAgent(s *ir.State) jen.Code {
	args := []jen.Code{jen.Id("fx"), jen.Id("walk").Dot("Value").Call()}

	return jen.Id("a").Dot(names.Run(s.Agent.Name.Value)).Call(append(args, m.place(s).code()...)...)
}

// step emits what follows the agent of a state: the row is found and taken.
func (m *machine) step(g *jen.Group) {
	g.If(m.over()).Block(jen.Break())
	g.Line()
	g.List(jen.Id("key"), jen.Id("match")).Op(":=").Id("state").Dot("CanonicalKey").Call(jen.Id("walk").Dot("Key").Call())
	next := jen.Id("state").Dot("Next").Call(jen.Id("key"))
	if m.use.any {
		m.judgedStep(g)

		return
	}
	if m.rejects() {
		g.List(jen.Id("next"), jen.Id("ok")).Op(":=").Add(next)
		g.If(jen.Op("!").Id("ok")).Block(
			jen.Return(jen.Id("walk").Dot("Reject").Call(in("rt.Texts").Call(jen.Id("state").Dot("Keys").Call()))))
	} else {
		g.List(jen.Id("next"), jen.Id("_")).Op(":=").Add(next)
	}
	g.Id("walk").Dot("Take").Call(jen.String().Call(jen.Id("key")), jen.Id("match"), jen.Id("next").Dot("String").Call())
	g.Id("state").Op("=").Id("next")
}
