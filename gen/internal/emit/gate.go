package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// gate emits the gate of a react agent: the machine, and where one run stands in it.
type gate struct {
	*machine
	typ string
}

// gateOf returns the gate of an agent; nil if it has none.
func gateOf(a *ir.Agent) *gate {
	n, isReact := a.Node.(*ir.React)
	if !isReact || n.Gate == nil {
		return nil
	}

	return &gate{newMachine(a, n.Gate.Machine), names.Gate(a.Name.Value)}
}

func (g *gate) emit(f *jen.File) {
	g.machine.emit(f)
	g.declare(f)
	g.maker(f)
	g.position(f)
	g.judge(f)
	g.move(f)
	g.signals(f)
}

// declare emits the type.
func (g *gate) declare(f *jen.File) {
	f.Add(comment(g.typ + " is the position of one run of " + g.name + " in its gate."))
	f.Type().Id(g.typ).StructFunc(func(group *jen.Group) {
		group.List(jen.Id("state"), jen.Id("next")).Id(g.stateType)
		if g.use.any {
			group.Id("guards").Op("*").Id(names.GuardsType(g.name))
		}
	})
	f.Line()
}

// maker emits the function that begins a gate with guards: it is the first to count a visit.
func (g *gate) maker(f *jen.File) {
	if !g.use.any {
		return
	}
	make := names.NewGate(g.name)
	f.Add(comment(make + " returns the gate of a run, in its initial state."))
	f.Func().Id(make).Params(jen.Id("guards").Op("*").Id(names.GuardsType(g.name))).Op("*").Id(g.typ).BlockFunc(func(group *jen.Group) {
		if g.use.counts() {
			group.Id("guards").Dot("Visits").Index(g.initial()).Op("++")
			group.Line()
		}
		group.Return(jen.Op("&").Id(g.typ).Values(
			jen.Id("state").Op(":").Add(g.initial()), jen.Id("guards").Op(":").Id("guards")))
	})
	f.Line()
}

func (g *gate) initial() *jen.Statement { return g.state(g.ir.Initial.State) }

// begun returns what begins the gate of a run.
func (g *gate) begun() *jen.Statement {
	if !g.use.any {
		return jen.Op("&").Id(g.typ).Values(jen.Id("state").Op(":").Add(g.initial()))
	}

	return jen.Id(names.NewGate(g.name)).Call(jen.Id(names.NewGuards(g.name)).Call(g.guardsOfRun()...))
}

// method returns the head of a method.
func (g *gate) method(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("g").Op("*").Id(g.typ)).Id(name)
}

// position emits the methods that say where the run stands.
func (g *gate) position(f *jen.File) {
	f.Add(comment("State is the name of the state."))
	f.Add(g.method("State")).Params().String().Block(jen.Return(jen.Id("g").Dot("state").Dot("String").Call()))
	f.Line()

	actions := jen.Nil()
	if len(g.keys) > 0 {
		actions = in("Texts").Call(jen.Id("g").Dot("state").Dot("Keys").Call())
	}
	f.Add(comment("Actions returns the actions that have a row in the state."))
	f.Add(g.method("Actions")).Params().Index().String().Block(jen.Return(actions))
	f.Line()
}

// judge emits the method that finds the row of an action.
func (g *gate) judge(f *jen.File) {
	value := "_"
	if g.use.any {
		value = "value"
	}
	key := jen.Id(g.keyType).Call(jen.Id("action"))
	f.Add(comment("Judge finds the row of an action, for Move to take."))
	f.Add(g.method("Judge")).Params(jen.List(jen.Id("action"), jen.Id(value)).String()).
		Params(jen.Id("step").Add(in("GateStep")), jen.Err().Error()).BlockFunc(func(group *jen.Group) {
		args, refusal, step := []jen.Code{key}, g.refusal(), g.step()
		if g.use.any {
			guards := jen.Id("g").Dot("guards")
			group.Add(guards.Clone()).Dot("Begin").Call(jen.Id("g").Dot("state"), key.Clone(), jen.Id("value"))
			args = append(args, guards)
		}
		group.List(jen.Id("next"), jen.Id("ok")).Op(":=").Id("g").Dot("state").Dot("Next").Call(args...)
		group.If(jen.Op("!").Id("ok")).Block(jen.Return(jen.Id("step"), refusal))
		group.Id("g").Dot("next").Op("=").Id("next")
		group.Line()
		group.Return(step, jen.Nil())
	})
	f.Line()
}

// refusal returns the error of an action that has no row, or whose guards say no.
func (g *gate) refusal() *jen.Statement {
	actions := jen.Id("g").Dot("Actions").Call()
	if g.use.any {
		return jen.Id("g").Dot("guards").Dot("Refusal").Call(actions)
	}

	return jen.Op("&").Add(in("InvalidTransitionError")).Values(
		jen.Id("Machine").Op(":").Lit(g.name), jen.Id("State").Op(":").Id("g").Dot("State").Call(),
		jen.Id("Key").Op(":").Id("action"), jen.Id("Valid").Op(":").Add(actions))
}

// step returns what is told of a row.
func (g *gate) step() *jen.Statement {
	to := jen.Id("To").Op(":").Id("next").Dot("String").Call()
	if !g.use.any {
		return in("GateStep").Values(to, jen.Id("Matched").Op(":").Add(in("MatchExact")))
	}
	guards := jen.Id("g").Dot("guards")

	return in("GateStep").Custom(block, to,
		jen.Id("Matched").Op(":").Add(guards).Dot("Match").Call(in("MatchExact")),
		jen.Id("Guards").Op(":").Add(guards.Clone()).Dot("Asked").Call())
}

// move emits the method that takes the row.
func (g *gate) move(f *jen.File) {
	f.Add(comment("Move takes the row that Judge has found last."))
	f.Add(g.method("Move")).Params().BlockFunc(func(group *jen.Group) {
		group.Id("g").Dot("state").Op("=").Id("g").Dot("next")
		if g.use.counts() {
			group.Id("g").Dot("guards").Dot("Visits").Index(jen.Id("g").Dot("state")).Op("++")
		}
	})
	f.Line()
}
