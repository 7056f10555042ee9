package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// emitRun emits the method that runs the machine of an agent, and the places of its states.
func (m *machine) emitRun(f *jen.File) {
	emitRunMethod(f, m.agent, "", m.addLoop)
	running := ir.Where(m.ir.States, func(s *ir.State) bool { return s.Agent != nil })
	emitPlaces(f, m.name, ir.Map(running, m.statePlace), "the keys with which the agents of its states may finish")
}

func (m *machine) statePlace(s *ir.State) place { return place{m.name, s.Name.Value, s.Place()} }

// emitStepMethods emits the methods that run a machine of a workflow: the loop, the steps of the
// states, and the rows.
func (m *machine) emitStepMethods(f *jen.File) {
	name := m.methodName(names.Execute)
	emitDeclaration(f, name+" runs the machine of step "+m.title+" until it is in an end state.",
		m.runMethodHead(name, jen.Id("input").Add(inWorkflow("Value"))).Params(inWorkflow("Value"), jen.Error()).BlockFunc(m.addLoop))
	m.emitPerform(f)
	m.emitEventRows(f)
}

// methodName returns the name of a method of the workflow's run.
func (m *machine) methodName(verb names.Verb) string { return names.Work(verb, m.at, m.title) }

// runMethodHead returns the head of such a method.
func (m *machine) runMethodHead(name string, params ...jen.Code) *jen.Statement {
	return jen.Func().Params(m.workflow.receiver()).Id(name).Params(params...)
}

// addLoop emits the loop: while the state is not a terminal, its agent or its steps run, and a row
// is found and taken.
func (m *machine) addLoop(g *jen.Group) {
	m.addBegin(g)
	if slices.ContainsFunc(m.ir.States, func(s *ir.State) bool { return !s.IsTerminal() }) {
		g.For(jen.Op("!").Id("state").Dot("Terminal").Call().Op("&&").Add(m.enterCode())).BlockFunc(m.addRound)
	}
	for _, s := range m.ir.States {
		if s.IsTerminal() && s.Agent != nil {
			g.If(jen.Id("state").Op("==").Add(m.stateConstant(s)).Op("&&").Add(m.enterCode())).Block(
				jen.Return(jen.Id("m").Dot("FinishWith").Call(m.agentCode(s))))
		}
	}
	g.Line()
	if m.workflow != nil {
		args := []jen.Code{jen.Id("state")}
		for _, s := range m.ir.States {
			if s.Fails {
				args = append(args, m.stateConstant(s))
			}
		}
		g.Return(jen.Id("m").Dot("End").Call(args...))
		return
	}
	g.Return(jen.Id("m").Dot("End").Call())
}

// addBegin emits the memory of the run and the initial state.
func (m *machine) addBegin(g *jen.Group) {
	initial := m.stateConstant(m.ir.Initial.State)
	if m.workflow != nil {
		g.Id("m").Op(":=").Add(inWorkflow("NewMachine")).Call(jen.Op("&").Id("r").Dot("Run"), jen.Lit(m.title),
			jen.Lit(m.ir.MaxSteps), jen.Id(names.ParseState(m.name)), jen.Id("input"))
		first := ir.First(m.workflow.ir.Body.Tasks, isMachine)
		if first != nil && first.Do == m.ir { // the initial context may name another state
			initial = jen.Id("m").Dot("Begin").Call(initial)
		}
	} else {
		g.Id("m").Op(":=").Add(inRuntime("rt.Flow")).Call(jen.Lit(m.name)).Dot("Machine").Call(jen.Id("fx"), jen.Lit(m.ir.MaxSteps), jen.Id("input"))
		if len(m.ir.Live.Signals) > 0 {
			g.Id("m").Dot("Listen").Custom(broken, signalRulesCode(m.ir.Live.Signals, true)...)
		}
		if m.use.any {
			m.addGuards(g)
		}
		g.Line()
	}
	g.Id("state").Op(":=").Add(initial)
}

// enterCode enters the state, unless the run is over.
func (m *machine) enterCode() *jen.Statement {
	if m.workflow != nil {
		return jen.Id("m").Dot("Enter").Call(jen.Id("state"))
	}

	return jen.Id("m").Dot("Enter").Call(jen.Id("state").Dot("String").Call())
}

// addRound emits the round of a state that is not a terminal.
func (m *machine) addRound(g *jen.Group) {
	if m.use.any {
		g.Id("guards").Dot("Visits").Index(jen.Id("state")).Op("++")
	}
	m.addBodies(g)
	switch {
	case m.workflow != nil:
		m.addFollow(g)
	case m.use.any:
		m.addGuardedRow(g)
	default:
		m.addKeyedRow(g)
	}
	g.Id("state").Op("=").Id("next")
}

// addBodies emits that the agents or steps of the states run, and that their output is recorded.
func (m *machine) addBodies(g *jen.Group) {
	output := jen.List(jen.Id("output"), jen.Err())
	switch {
	case m.workflow == nil:
		g.Var().Id("output").Add(inRuntime("Finish"))
		g.Var().Err().Error()
		g.Switch(jen.Id("state")).BlockFunc(func(g *jen.Group) {
			for _, s := range m.ir.States {
				if s.Agent != nil && !s.IsTerminal() {
					g.Case(m.stateConstant(s)).Block(output.Clone().Op("=").Add(m.agentCode(s)))
				}
			}
		})
		g.Id("m").Dot("RecordOutput").Call(output)
	case m.hasSteps():
		g.Id("m").Dot("RecordOutput").Call(jen.Id("r").Dot(m.methodName(names.Perform)).Call(jen.Id("m").Dot("Input").Call(), jen.Id("state")))
	default:
		g.Id("m").Dot("RecordOutput").Call(jen.Id("m").Dot("Input").Call(), jen.Nil())
	}
}

// agentCode returns the call that runs the agent of a state.
func (m *machine) agentCode(s *ir.State) *jen.Statement {
	args := []jen.Code{jen.Id("fx"), jen.Id("m").Dot("Value").Call()}

	return jen.Id("a").Dot(names.Run(s.Agent.Name.Value)).Call(append(args, m.statePlace(s).argumentCode()...)...)
}

// emitPerform emits the method that runs the steps of a state. It is not a part of the loop, in
// which the Go compiler would then inline nothing if there are many states. A state without steps
// passes its input on.
func (m *machine) emitPerform(f *jen.File) {
	if !m.hasSteps() {
		return
	}
	name := m.methodName(names.Perform)
	emitDeclaration(f, name+" runs the steps of a state of "+m.title+".",
		m.runMethodHead(name, jen.Id("input").Add(inWorkflow("Value")), jen.Id("state").Id(m.stateType)).
			Params(inWorkflow("Value"), jen.Error()).Block(
			jen.Switch(jen.Id("state")).BlockFunc(func(g *jen.Group) {
				for _, s := range ir.Where(m.ir.States, hasRunnableSteps) {
					g.Case(m.stateConstant(s)).Block(jen.Return(runPipelineCode(s.Body, jen.Id("input"))))
				}
			}),
			jen.Line(),
			jen.Return(jen.Id("input"), jen.Nil())))
}

// hasSteps reports whether a state of a workflow's machine has steps that can run.
func (m *machine) hasSteps() bool { return slices.ContainsFunc(m.ir.States, hasRunnableSteps) }

// hasRunnableSteps reports whether a state has steps that can run.
func hasRunnableSteps(s *ir.State) bool { return !s.End && s.Body != nil && len(s.Body.Tasks) > 0 }

// addKeyedRow emits how the row of the agent's key is found and taken.
func (m *machine) addKeyedRow(g *jen.Group) {
	m.addCanonicalKey(g)
	ok := "_"
	if m.canReject() {
		ok = "ok"
	}
	g.List(jen.Id("next"), jen.Id(ok)).Op(":=").Id("state").Dot("Next").Call(jen.Id("key"))
	if m.canReject() {
		g.If(jen.Op("!").Id("ok")).Block(jen.Return(jen.Id("m").Dot("Reject").Call(m.validKeysCode())))
	}
	g.Id("m").Dot("RecordTransition").Call(jen.String().Call(jen.Id("key")), jen.Id("match"), jen.Id("next").Dot("String").Call())
}

// addGuardedRow emits how a row with guards is found and taken.
func (m *machine) addGuardedRow(g *jen.Group) {
	valid := jen.Nil()
	if len(m.keys) > 0 {
		valid = m.validKeysCode()
	}
	m.addCanonicalKey(g)
	g.Id("guards").Dot("Begin").Call(jen.Int().Call(jen.Id("state")), jen.Id("state").Dot("String").Call(),
		jen.String().Call(jen.Id("key")), jen.Id("m").Dot("Value").Call())
	g.List(jen.Id("next"), jen.Id("ok")).Op(":=").Id("state").Dot("Next").Call(jen.Id("key"), jen.Id("guards"))
	g.If(jen.Op("!").Id("ok")).Block(jen.Return(jen.Id("m").Dot("RejectByGuards").Call(jen.Id("guards"), valid)))
	g.Id("m").Dot("RecordJudgedTransition").Call(jen.Id("guards"), jen.Id("match"), jen.Id("next").Dot("String").Call())
}

// addCanonicalKey emits how the key of a row is found, unless the run ends with the state's agent,
// or with a signal.
func (m *machine) addCanonicalKey(g *jen.Group) {
	over := "Failed"
	if len(m.ir.Live.Signals) > 0 {
		over = "ReceiveSignals"
	}
	g.If(jen.Id("m").Dot(over).Call()).Block(jen.Break())
	g.Line()
	g.List(jen.Id("key"), jen.Id("match")).Op(":=").Id("state").Dot("CanonicalKey").Call(jen.Id("m").Dot("Key").Call())
}

// validKeysCode returns the keys of the state, for an error.
func (m *machine) validKeysCode() *jen.Statement {
	return m.keyListsMethod("Texts").Call(jen.Id("state"))
}

// addFollow emits how the next state is found: by the row without a guard for the event that ended
// the steps of a state, by its rows with guards, or by next_state.
func (m *machine) addFollow(g *jen.Group) {
	var ways []*jen.Statement
	if m.hasUnguardedRows() {
		ways = append(ways, jen.Id("m").Dot("Next").Call(jen.Id(names.Rows(m.name))))
	}
	if m.hasGuardedRows() {
		ways = append(ways, jen.Id("r").Dot(m.methodName(names.Next)).Call(jen.Id("state"), jen.Id("m").Dot("Event").Call()))
	}
	ways = append(ways, jen.Id("m").Dot("Follow").Call(m.rowlessCode()))

	next := func(op string) *jen.Statement { return jen.List(jen.Id("next"), jen.Id("match")).Op(op) }
	none := jen.Id("match").Op("==").Lit("")
	g.Add(next(":=").Add(ways[0]))
	for _, way := range ways[1:] {
		g.If(none).Block(next("=").Add(way))
	}
	g.If(none).Block(jen.Break())
	g.Line()
	g.Id("m").Dot("RecordTransition").Call(jen.Id("next"), jen.Id("match"))
}

// rowlessCode returns the expression that reports whether the machine ends in its state if no step
// has set next_state.
func (m *machine) rowlessCode() *jen.Statement {
	rowless, all := m.rowlessStates()
	switch {
	case all:
		return jen.True()
	case len(rowless) == 0:
		return jen.False()
	}

	return jen.Id("state").Dot("Rowless").Call()
}

// rowlessStates returns the states without rows in which a workflow's machine can end; all reports
// whether they are all states with steps.
func (m *machine) rowlessStates() (states []*ir.State, all bool) {
	working := ir.Where(m.ir.States, func(s *ir.State) bool { return !s.End })
	states = ir.Where(working, m.ir.HasNoRows)

	return states, len(states) == len(working)
}

// isMachine reports whether a step is a machine.
func isMachine(t *ir.Task) bool {
	_, is := t.Do.(*ir.Machine)

	return is
}
