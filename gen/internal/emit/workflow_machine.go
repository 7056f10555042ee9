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

// walk emits the method that runs the machine until it is in an end state.
func (m *stateMachine) walk(f *jen.File) {
	name := m.method(names.Walk)
	start := m.state(m.do.Initial.State)
	if m.takesStart() {
		start = jen.Id("m").Dot("Begin").Call(start)
	}
	declare(f, name+" runs the machine of step "+m.task.Name.Value+" until it is in an end state.",
		m.head(name, []jen.Code{jen.Id("input").Add(inWorkflow("Value"))}, inWorkflow("Value"), jen.Error()).Block(
			jen.Id("m").Op(":=").Add(inWorkflow("NewMachine")).Call(jen.Op("&").Id("r").Dot("Run"), jen.Lit(m.task.Name.Value),
				jen.Lit(m.do.MaxSteps), jen.Id(names.ParseState(m.key)), jen.Id("input")),
			jen.Id("state").Op(":=").Add(start),
			jen.For(jen.Op("!").Id("state").Dot("Terminal").Call().Op("&&").Id("m").Dot("Enter").Call(jen.Id("state"))).BlockFunc(m.round),
			jen.Line(),
			jen.Return(jen.Id("m").Dot("End").Call(jen.Id("state"), jen.Id("state").Dot("Terminal").Call()))))
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
