package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// stateMachine emits one machine of a workflow.
type stateMachine struct {
	*workflow
	at   *ir.Pipeline
	task *ir.Task
	do   *ir.Machine
	// key is what the names of types and constants begin with.
	key string
}

func (w *workflow) machineOf(p *ir.Pipeline, t *ir.Task, do *ir.Machine) *stateMachine {
	return &stateMachine{w, p, t, do, names.Machine(w.name, p, t.Name.Value)}
}

// stateMachine emits the methods that run a machine.
func (w *workflow) stateMachine(f *jen.File, p *ir.Pipeline, t *ir.Task, do *ir.Machine) {
	m := w.machineOf(p, t, do)
	w.machines = append(w.machines, m)
	m.walk(f)
	m.hop(f)
	m.steps(f)
	m.next(f)
	m.refuse(f)
}

// runs reports whether the steps of a state can run.
func runs(s *ir.State) bool { return !s.End && len(s.Body.Tasks) > 0 }

func (m *stateMachine) method(verb names.Verb) string {
	return names.Work(verb, m.at, m.task.Name.Value)
}

func (m *stateMachine) state(s *ir.State) *jen.Statement {
	return jen.Id(names.State(m.key, s.Name.Value))
}

func (m *stateMachine) stateType() *jen.Statement { return jen.Id(names.StateType(m.key)) }

// parse returns the function that finds a state by its name.
func (m *stateMachine) parse() *jen.Statement { return jen.Id(names.ParseState(m.key)) }

// walk emits the method that runs the machine until it is in an end state.
func (m *stateMachine) walk(f *jen.File) {
	name := m.method(names.Walk)
	start := m.state(m.do.Initial.State)
	if m.takesStart() {
		start = jen.Id("m").Dot("Begin").Call(start)
	}
	state := func() *jen.Statement { return jen.Id("state") }
	f.Add(comment(name + " runs the machine of step " + m.task.Name.Value + " until it comes to an end state."))
	f.Func().Params(m.receiver()).Id(name).Params(jen.Id("input").Add(inWorkflow("Value"))).
		Params(inWorkflow("Value"), jen.Error()).Block(
		m.begin(m.do.MaxSteps, jen.Id("input")),
		state().Op(":=").Add(start),
		jen.For(jen.Op("!").Add(state()).Dot("Ends").Call().Op("&&").Id("m").Dot("Enter").Call(state())).Block(
			jen.List(jen.Id("next"), jen.Id("match")).Op(":=").Id("r").Dot(m.method(names.Hop)).
				Call(jen.Id("m"), state()),
			jen.If(jen.Id("match").Op("==").Add(in("MatchNone"))).Block(jen.Break()),
			jen.Id("m").Dot("Take").Call(jen.Id("next"), jen.Id("match")),
			state().Op("=").Id("next")),
		jen.Line(),
		jen.Return(jen.Id("m").Dot("End").Call(state(), state().Dot("Ends").Call())))
	f.Line()
}

// begin makes the machine.
func (m *stateMachine) begin(maxSteps int, input jen.Code) jen.Code {
	return jen.Id("m").Op(":=").Add(inWorkflow("NewMachine")).
		Call(jen.Op("&").Id("r").Dot("Run"), jen.Lit(m.task.Name.Value), jen.Lit(maxSteps), m.parse(), input)
}

// head returns the head of a method of a run. Parameters for which there is no room stand on a line of their own.
func (m *stateMachine) head(name string, params []jen.Code, results ...jen.Code) *jen.Statement {
	return fitted(1, func(broken bool) *jen.Statement { // a tab is room for the brace
		head := jen.Func().Params(m.receiver()).Id(name)
		if broken {
			return head.Op("(").Line().List(params...).Op(",").Line().Op(")").Params(results...)
		}
		return head.Params(params...).Params(results...)
	})
}

// takesStart reports whether the machine starts where the initial context says: the first one at the top does.
func (m *stateMachine) takesStart() bool {
	if m.at != m.ir.Body {
		return false
	}
	for _, t := range m.ir.Body.Tasks {
		if _, isMachine := t.Do.(*ir.Machine); isMachine {
			return t == m.task
		}
	}

	return false
}

// hop emits the method that runs one state and finds the next one.
func (m *stateMachine) hop(f *jen.File) {
	name := m.method(names.Hop)
	f.Add(comment(name + " runs a state and returns the state that follows, and how it was found."))
	f.Add(m.head(name, []jen.Code{jen.Id("m").Op("*").Add(inWorkflow("Machine")).Index(m.stateType()), jen.Id("state").Add(m.stateType())},
		m.stateType(), in("Match"))).BlockFunc(func(g *jen.Group) {
		g.Id("m").Dot("Did").Call(jen.Id("r").Dot(m.method(names.Do)).Call(jen.Id("state"), jen.Id("m").Dot("Input").Call()))
		refused := jen.Nil()
		if m.mayRefuse() {
			refused = jen.Id("r").Dot(m.method(names.Refuse))
		}
		follow := jen.Return(jen.Id("m").Dot("Follow").Call(refused))
		if len(m.do.Rows()) == 0 {
			g.Line()
			g.Add(follow)
			return
		}
		g.If(
			jen.List(jen.Id("next"), jen.Id("match")).Op(":=").Id("r").Dot(m.method(names.Next)).
				Call(jen.Id("state"), jen.Id("m").Dot("Event").Call()),
			jen.Id("match").Op("!=").Add(in("MatchNone"))).
			Block(jen.Return(jen.Id("next"), jen.Id("match")))
		g.Line()
		g.Add(follow)
	})
	f.Line()
}

// steps emits the method that runs the steps of a state. Its cases do nothing but call: a switch of thousands that does more is
// what the Go compiler takes minutes for.
func (m *stateMachine) steps(f *jen.File) {
	name := m.method(names.Do)
	f.Add(comment(name + " runs the steps of a state. One without steps gives on what it is given."))
	f.Add(m.head(name, []jen.Code{jen.Id("state").Add(m.stateType()), jen.Id("input").Add(inWorkflow("Value"))},
		inWorkflow("Value"), jen.Error())).Block(
		jen.Switch(jen.Id("state")).BlockFunc(func(g *jen.Group) {
			for _, s := range m.do.States {
				if runs(s) {
					g.Case(m.state(s)).Block(jen.Return(run(s.Body, jen.Id("input"))))
				}
			}
		}),
		jen.Line(),
		jen.Return(jen.Id("input"), jen.Nil()))
	f.Line()
}

// types emits the type of the states, with its constants and methods, and the method of App that runs one of them.
func (m *stateMachine) types(f *jen.File) {
	plain := m.plain()
	f.Add(comment(names.StateType(m.key) + " is a state of the machine " + m.task.Name.Value + "."))
	f.Type().Add(m.stateType()).Add(smallestUint(len(m.do.States)))
	f.Line()
	f.Add(comment("The states of " + m.task.Name.Value + ". No state has the value 0."))
	f.Const().DefsFunc(func(g *jen.Group) {
		for i, s := range m.do.States {
			constant := g.Add(m.state(s))
			if i == 0 {
				constant.Add(m.stateType()).Op("=").Iota().Op("+").Lit(1)
			}
			if s.End {
				constant.Add(trailing("end state"))
			}
		}
	})
	f.Line()
	plain.predicate(f, "Ends", "Ends reports whether the machine ends in s.", (*ir.State).Terminal)
	plain.stateTexts(f)
	m.runState(f)
}

// plain returns the machine as one that stands alone, where what has to do with texts is emitted.
func (m *stateMachine) plain() *machine {
	return &machine{agent: m.agent, name: m.key, title: m.task.Name.Value, ir: m.do, stateType: names.StateType(m.key)}
}

// runState emits the method of App that runs one state, for tests.
func (m *stateMachine) runState(f *jen.File) {
	name := names.RunState(m.key)
	f.Add(comment(name + " runs the steps of one state of " + m.task.Name.Value + " in a run with the context, for tests. It returns " +
		"the state that follows, 0 where the machine fails, and what the steps came to."))
	f.Func().Params(jen.Id("a").Op("*").Id("App")).Id(name).Custom(
		jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true},
		jen.Id("fx").Add(in("Effects")), jen.Id("state").Add(m.stateType()), jen.Id("input").String(), jen.Id("context").Add(rawMessage())).
		Params(jen.Id("next").Add(m.stateType()), jen.Id("fin").Add(in("Finish")), jen.Err().Error()).Block(
		jen.Id("r").Op(":=").Id("a").Dot(names.NewRun(m.name)).Call(jen.Id("fx")),
		jen.If(jen.Err().Op(":=").Id("r").Dot("Begin").Call(jen.Id("context")), jen.Err().Op("!=").Nil()).
			Block(jen.Return(jen.Lit(0), in("Finish").Values(), jen.Err())),
		m.begin(1, inWorkflow("Text").Call(jen.Id("input"))),
		jen.Id("m").Dot("Enter").Call(jen.Id("state")),
		jen.List(jen.Id("next"), jen.Id("_")).Op("=").Id("r").Dot(m.method(names.Hop)).Call(jen.Id("m"), jen.Id("state")),
		jen.List(jen.Id("fin"), jen.Err()).Op("=").Id("r").Dot("Done").
			Call(jen.Id("m").Dot("End").Call(jen.Id("state"), jen.False())),
		jen.Line(),
		jen.Return(jen.Id("next"), jen.Id("fin"), jen.Err()))
	f.Line()
}
