package emit

import (
	"slices"

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

// walk emits the method that runs the machine until it is in an end state. Where it begins and how
// many states it may run is said by the caller: tests run one.
func (m *stateMachine) walk(f *jen.File) {
	name := m.method(names.Walk)
	declare(f, name+" runs the machine of step "+m.task.Name.Value+" from a state until it is in an end state.",
		m.head(name, []jen.Code{jen.Id("m").Op("*").Add(inWorkflow("Machine")).Index(m.stateType()), jen.Id("state").Add(m.stateType())},
			inWorkflow("Value"), jen.Error()).BlockFunc(func(g *jen.Group) {
			if m.takesStart() {
				g.Id("state").Op("=").Id("m").Dot("Begin").Call(jen.Id("state"))
			}
			g.For(jen.Op("!").Id("state").Dot("Terminal").Call().Op("&&").Id("m").Dot("Enter").Call(jen.Id("state"))).BlockFunc(m.round)
			g.Line()
			g.Return(jen.Id("m").Dot("End").Call(jen.Id("state"), jen.Id("state").Dot("Terminal").Call()))
		}))
}

// round adds what the loop does: run the steps of the state, and find and take what follows.
func (m *stateMachine) round(g *jen.Group) {
	m.bodies(g)
	follow := jen.Id("m").Dot("Follow").Call(m.refusal())
	next := func() *jen.Statement { return jen.List(jen.Id("next"), jen.Id("match")) }
	if len(m.do.Rows()) == 0 {
		g.Add(next().Op(":=").Add(follow))
	} else {
		g.Add(next().Op(":=").Id("r").Dot(m.method(names.Next)).Call(jen.Id("state"), jen.Id("m").Dot("Event").Call()))
		g.If(jen.Id("match").Op("==").Add(in("rt.MatchNone"))).Block(next().Op("=").Add(follow))
	}
	g.If(jen.Id("match").Op("==").Add(in("rt.MatchNone"))).Block(jen.Break())
	g.Line()
	g.Id("m").Dot("Take").Call(jen.Id("next"), jen.Id("match"))
	g.Id("state").Op("=").Id("next")
}

// bodies adds the switch over the states that runs their steps. A state without steps returns what
// it is given.
func (m *stateMachine) bodies(g *jen.Group) {
	var cases []jen.Code
	for _, s := range m.do.States {
		if runs(s) {
			steps := jen.List(jen.Id("value"), jen.Err()).Op("=").Add(run(s.Body, jen.Id("value")))
			cases = append(cases, jen.Case(m.state(s)).Block(steps))
		}
	}
	input := jen.Id("m").Dot("Input").Call()
	if len(cases) == 0 {
		g.Id("m").Dot("Did").Call(input, jen.Nil())
		return
	}
	g.Id("value").Op(":=").Add(input)
	g.Var().Err().Error()
	g.Switch(jen.Id("state")).Block(cases...)
	g.Id("m").Dot("Did").Call(jen.Id("value"), jen.Err())
}

// refusal is the method that returns the guards of the rows that were not taken.
func (m *stateMachine) refusal() *jen.Statement {
	if !m.mayRefuse() {
		return jen.Nil()
	}

	return jen.Id("r").Dot(m.method(names.Refuse))
}

// started is the call that runs a machine with what its step is given.
func (m *stateMachine) started(given jen.Code) *jen.Statement {
	return jen.Id("r").Dot(m.method(names.Walk)).Call(m.begun(m.do.MaxSteps, given), m.state(m.do.Initial.State))
}

// begun makes the machine.
func (m *stateMachine) begun(maxSteps int, input jen.Code) *jen.Statement {
	return inWorkflow("NewMachine").
		Call(jen.Op("&").Id("r").Dot("Run"), jen.Lit(m.task.Name.Value), jen.Lit(maxSteps), m.parse(), input)
}

// head returns the head of a method of a run.
func (m *stateMachine) head(name string, params []jen.Code, results ...jen.Code) *jen.Statement {
	return jen.Func().Params(m.receiver()).Id(name).Params(params...).Params(results...)
}

// takesStart reports whether the machine starts where the initial context says: the first one at
// the top does.
func (m *stateMachine) takesStart() bool {
	first := slices.IndexFunc(m.ir.Body.Tasks, isMachine)

	return first >= 0 && m.ir.Body.Tasks[first] == m.task
}

func isMachine(t *ir.Task) bool {
	_, is := t.Do.(*ir.Machine)

	return is
}

func (m *stateMachine) types(f *jen.File) {
	plain := m.plain()
	plain.states(f, names.StateType(m.key)+" is a state of the machine "+m.task.Name.Value+".", func(s *ir.State) string {
		if s.End {
			return "end state"
		}

		return ""
	})
	plain.terminal(f)
	plain.stateTexts(f)
}

// plain returns the machine as one of its own, where what has to do with texts is emitted.
func (m *stateMachine) plain() *machine {
	return &machine{agent: m.agent, name: m.key, title: m.task.Name.Value, ir: m.do, stateType: names.StateType(m.key)}
}

// runState emits the function that runs one state in a test.
func (m *stateMachine) runState(f *jen.File) {
	name := names.RunState(m.key)
	declare(f, name+" runs the steps of one state of "+m.task.Name.Value+" in a run with the context. It returns "+
		"the state that follows, 0 where the machine fails, and what the steps returned.",
		jen.Func().Id(name).Custom(broken,
			jen.Id("fx").Add(in("Effects")), jen.Id("state").Add(m.stateType()), jen.Id("input").String(), jen.Id("context").Add(rawMessage())).
			Params(m.stateType(), in("Finish"), jen.Error()).Block(
			jen.Id("r").Op(":=").New(jen.Id("App")).Dot(names.NewRun(m.name)).Call(jen.Id("fx")),
			jen.If(jen.Err().Op(":=").Id("r").Dot("Begin").Call(jen.Id("context")), jen.Err().Op("!=").Nil()).
				Block(jen.Return(jen.Lit(0), in("Finish").Values(), jen.Err())),
			jen.Id("m").Op(":=").Add(m.begun(1, inWorkflow("Text").Call(jen.Id("input")))).Dot("Single").Call(),
			jen.List(jen.Id("fin"), jen.Err()).Op(":=").Id("r").Dot("Done").
				Call(jen.Id("r").Dot(m.method(names.Walk)).Call(jen.Id("m"), jen.Id("state"))),
			jen.Line(),
			jen.Return(jen.Id("m").Dot("Next").Call(), jen.Id("fin"), jen.Err())))
}
