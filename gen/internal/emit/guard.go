package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// guards emits the type that asks the guards of a machine, if it has any.
func (m *machine) guards(f *jen.File) {
	if !m.use.any {
		return
	}
	name := names.GuardsType(m.name)
	declare(f, name+" evaluates the guards of "+m.name+"'s rows.", jen.Type().Id(name).StructFunc(func(g *jen.Group) {
		g.Add(in("rt.Judge"))
		if m.use.counts() {
			g.Id("Visits").Op("*").Add(m.visitsType()).Add(trailing("by state: how often it was entered"))
		}
		if m.use.data {
			g.Id("Data").Add(inWorkflow("Value")).Add(trailing("the value as JSON; none if it is none"))
		}
		if len(m.use.steps) > 0 {
			g.Id("Steps").Id(names.StepsType(m.name)).Add(trailing("the newest value of each agent"))
		}
	}))
	m.newGuards(f)
	m.beginGuards(f)
	if len(m.use.steps) > 0 {
		m.guardSteps(f)
	}
}

// visitsType is an array with room for every state.
func (m *machine) visitsType() *jen.Statement {
	return jen.Index(jen.Lit(len(m.ir.States) + 1)).Int64()
}

// newGuards emits the function that makes one.
func (m *machine) newGuards(f *jen.File) {
	name, make := names.GuardsType(m.name), names.NewGuards(m.name)
	params := []jen.Code{jen.Id("input").String()}
	judge := []jen.Code{keyed("Machine", jen.Lit(m.name)), keyed("Input", jen.Id("input"))}
	doc := make + " returns the guards of " + m.name + " for a run with this input."
	if m.use.named {
		params = append(params,
			jen.Id("ask").Func().Params(in("GuardCall")).Params(in("Verdict"), jen.Error()), jen.Id("guards").Id("Guards"))
		judge = append(judge, jen.Id("Call").Op(":").Id("ask"),
			jen.Id("Guards").Op(":").Id(names.NamedGuards).Call(jen.Id("guards")))
		doc = make + " returns the guards of " + m.name + " for a run with this input. ask evaluates named guards: Guard of the " +
			"run's effects, or rt.AskGuard without a run."
	}
	members := []jen.Code{jen.Id("Judge").Op(":").Add(in("rt.Judge")).Values(judge...)}
	if m.use.counts() {
		members = append(members, jen.Id("Visits").Op(":").New(m.visitsType()))
	}
	declare(f, doc, jen.Func().Id(make).Params(params...).Op("*").Id(name).Block(
		jen.Return(jen.Op("&").Id(name).Custom(block, members...))))
}

// beginGuards emits the method that makes it ready for a key.
func (m *machine) beginGuards(f *jen.File) {
	name := names.GuardsType(m.name)
	declare(f, "Begin makes g ready for a key in s, and the value that came with it.",
		jen.Func().Params(jen.Id("g").Op("*").Id(name)).Id("Begin").
			Params(jen.Id("s").Id(m.stateType), jen.Id("key").Id(m.keyType), jen.Id("value").String()).BlockFunc(func(g *jen.Group) {
			g.Id("g").Dot("Judge").Dot("Begin").
				Call(jen.Id("s").Dot("String").Call(), jen.String().Call(jen.Id("key")), jen.Id("value"))
			if m.use.named {
				g.Id("g").Dot("Visit").Op("=").Int().Call(jen.Id("g").Dot("Visits").Index(jen.Id("s")))
			}
			if m.use.data {
				g.Id("g").Dot("Data").Op("=").Add(inWorkflow("Data")).Call(jen.Id("value"))
			}
			if len(m.use.steps) > 0 {
				g.Id("g").Dot("Steps").Dot("keep").Call(jen.Id("s"), jen.Id("value"))
			}
		}))
}

// guardSteps emits the type that holds what the agents of states gave, and the method that keeps it.
func (m *machine) guardSteps(f *jen.File) {
	name := names.StepsType(m.name)
	declare(f, name+" are the newest values of agents of "+m.name+" that guards read; none before an agent ran.",
		jen.Type().Id(name).StructFunc(func(g *jen.Group) {
			for _, o := range m.outputs() {
				g.Id(names.StepField(o.Name.Value)).Add(inWorkflow("Value"))
			}
		}))
	declare(f, "keep keeps what the agent of s gave.", jen.Func().Params(jen.Id("k").Op("*").Id(name)).Id("keep").
		Params(jen.Id("s").Id(m.stateType), jen.Id("value").String()).Block(
		jen.Switch(jen.Id("s")).BlockFunc(func(g *jen.Group) {
			for _, o := range m.outputs() {
				g.Case(m.state(m.stateOf(o))).Block(
					jen.Id("k").Dot(names.StepField(o.Name.Value)).Op("=").Add(inWorkflow("Gave")).Call(jen.Id("value")))
			}
		})))
}

// stateOf returns the state whose agent gives an output.
func (m *machine) stateOf(o *ir.Output) *ir.State { return m.stateCalled(o.Name.Value) }

func (m *machine) stateCalled(name string) *ir.State {
	for _, s := range m.ir.States {
		if s.Name.Value == name {
			return s
		}
	}

	return nil
}
