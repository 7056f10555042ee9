package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// stateMachine compares one machine of a workflow.
type stateMachine struct {
	*workflow
	at   *ir.Pipeline
	task *ir.Task
	do   *ir.Machine
	// key is what the names of its types and constants begin with.
	key string
}

func (w *workflow) stateMachine(p *ir.Pipeline, t *ir.Task, do *ir.Machine) *stateMachine {
	return &stateMachine{w, p, t, do, names.Machine(w.agent, p, t.Name.Value)}
}

// runs reports whether the steps of a state can run.
func runs(s *ir.State) bool { return !s.End && len(s.Body.Tasks) > 0 }

func (m *stateMachine) verb(v names.Verb) string { return names.Work(v, m.at, m.task.Name.Value) }

func (m *stateMachine) state(s *ir.State) string { return names.State(m.key, s.Name.Value) }

func (m *stateMachine) stateType() string { return names.StateType(m.key) }

// walk compares the method that runs the machine.
func (m *stateMachine) walk() {
	start := m.state(m.do.Initial.State)
	if m.firstAtTop() {
		start = "m.Begin(" + start + ")"
	}
	body := append(one("the machine", "m := workflow.NewMachine(&r.Run, "+quoted(m.task.Name.Value)+", "+
		strconv.Itoa(m.do.MaxSteps)+", "+names.ParseState(m.key)+", input)"), one("the start", "state := "+start)...)
	hop := append(one("the hop", "next, match := r."+m.verb(names.Hop)+"(m, state)"),
		statement{"the end", "if match == runtime.MatchNone", one("the end", "break")})
	hop = append(hop, one("the step", "m.Take(next, match)")...)
	body = append(body, statement{"the loop", "for !state.Ends() && m.Enter(state)",
		append(hop, one("the step", "state = next")...)})
	m.gives(m.verb(names.Walk), "", append(body, one("the end", "return m.End(state, state.Ends())")...))
}

// firstAtTop reports whether no other machine at the top comes before: it starts where the initial context says.
func (m *stateMachine) firstAtTop() bool {
	for _, t := range m.ir.Body.Tasks {
		if _, isMachine := t.Do.(*ir.Machine); isMachine {
			return t == m.task
		}
	}

	return false
}

// hop compares the method that runs one state and finds the next one.
func (m *stateMachine) hop() {
	body := one("the steps", "m.Did(r."+m.verb(names.Do)+"(state, m.Input()))")
	if len(m.do.Rows()) > 0 {
		body = append(body, statement{"the rows",
			"if next, match := r." + m.verb(names.Next) + "(state, m.Event()); match != runtime.MatchNone",
			one("the row", "return next, match")})
	}
	body = append(body, one("next_state", "return m.Follow("+m.refuseMethod()+")")...)

	name := m.verb(names.Hop)
	m.head(m.method(name), "func (r *"+m.typ()+") "+name+"(m *workflow.Machine["+m.stateType()+"], state "+m.stateType()+") ("+m.stateType()+", runtime.Match)")
	m.statements(name, body, m.function(m.method(name)))
}

// steps compares the method that runs the steps of a state.
func (m *stateMachine) steps() {
	var cases strings.Builder
	for _, s := range m.do.States {
		if runs(s) {
			cases.WriteString("case " + m.state(s) + ": return " + runOf(s.Body, "input") + "\n")
		}
	}
	name := m.verb(names.Do)
	m.writtenFunc(m.method(name), "func (r *"+m.typ()+") "+name+"(state "+m.stateType()+`, input workflow.Value) (workflow.Value, error) {
		switch state {
		`+cases.String()+`}
		return input, nil
	}`)
}

// types compares the type of the states like that of a machine on its own, whose terminals are the end states.
func (m *stateMachine) types() {
	alone := &machine{reader: m.reader, ir: m.do, name: m.key, title: m.task.Name.Value}
	alone.stateConstants()
	alone.predicate("Ends", (*ir.State).Terminal)
	alone.stateTexts()
}

// runState compares the method that runs one state, for tests.
func (m *stateMachine) runState() {
	name := names.RunState(m.key)
	m.writtenFunc("App."+name, "func (a *App) "+name+"(fx runtime.Effects, state "+m.stateType()+`, input string, context json.RawMessage,
	) (next `+m.stateType()+`, fin runtime.Finish, err error) {
		r := a.`+names.NewRun(m.agent)+`(fx)
		if err := r.Begin(context); err != nil { return 0, runtime.Finish{}, err }
		m := workflow.NewMachine(&r.Run, `+quoted(m.task.Name.Value)+`, 1, `+names.ParseState(m.key)+`, workflow.Text(input))
		m.Enter(state)
		next, _ = r.`+m.verb(names.Hop)+`(m, state)
		fin, err = r.Done(m.End(state, false))
		return next, fin, err
	}`)
}
