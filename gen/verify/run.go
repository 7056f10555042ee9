package verify

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// run compares the method that walks the machine: where it begins, which agent runs in which state and at which place.
func (m *machine) run() {
	name := names.RunAt(m.name)
	body := m.function("App." + name)
	if m.err != nil {
		return
	}
	m.head("App."+name, runHead(name, m.placeParam()))
	body = m.limited(name, m.of, body)
	if len(body) > 0 {
		m.written(name, fmt.Sprintf("walk := runtime.NewWalk(fx, %q, %d, input)", m.agent, m.ir.MaxSteps), body[0])
	}
	if m.listens() && len(body) > 1 {
		m.written(name+", the signals", "walk.Listen("+m.signalRules("runtime.SignalRule")+")", body[1])
		body = body[1:]
	}
	if m.asked.guards && len(body) > 1 {
		m.written(name+", the guards", m.guardsOfRun(), body[1])
		body = body[1:]
	}
	if len(body) != 4 {
		m.fail(name, "a walk, a state, a loop and an end", strconv.Itoa(len(body))+" statements")
	}
	if m.err != nil {
		return
	}
	m.written(name+", the initial state", "state := "+names.State(m.name, m.ir.Initial.State.Name.Value), body[1])
	m.written(name+", the end", "return walk.End()", body[3])

	loop, isLoop := body[2].(*ast.ForStmt)
	if m.err == nil && (!isLoop || loop.Init != nil || loop.Post != nil || loop.Cond == nil || len(loop.Body.List) == 0) {
		m.fail(name, "a loop", "something else")
	}
	if m.err != nil {
		return
	}
	m.written(name+", the loop", "state.Runs() && walk.Enter(state.String())", loop.Cond)
	inside := loop.Body.List
	if m.asked.visits {
		m.written(name+", the visits", "guards.Visits[state]++", inside[0])
		if inside = inside[1:]; len(inside) == 0 {
			m.fail(name, "a switch over the state", "none")
			return
		}
	}
	m.runCases(name, inside[0])
	m.step(name, inside[1:])
	m.declared(m.places())
}

// runCases compares the switch that runs the agents.
func (m *machine) runCases(name string, stmt ast.Stmt) {
	runs := slices.DeleteFunc(slices.Clone(m.ir.States), func(s *ir.State) bool { return s.Agent == nil })
	clauses := m.clauses(name, "state", stmt)
	for i := range max(len(runs), len(clauses)) {
		switch {
		case m.err != nil:
			return
		case i >= len(clauses):
			m.fail(fmt.Sprintf("%s, state %q", name, runs[i].Name.Value), "a case", "none")
		case i >= len(runs):
			m.fail(name, "no more cases", m.text(clauses[i]))
		default:
			s := runs[i]
			m.written(fmt.Sprintf("%s, state %q", name, s.Name.Value),
				"case "+names.State(m.name, s.Name.Value)+": "+m.runAgent(s), clauses[i])
		}
	}
}

// runAgent returns the statement that runs the agent of a state.
func (m *machine) runAgent(s *ir.State) string {
	call := "a." + names.RunAt(s.Agent.Name.Value) + "(fx, walk.Value(), " + m.place(s).argument() + ")"
	if s.Terminal() {
		return "return walk.Last(" + call + ")"
	}

	return "walk.Did(" + call + ")"
}

func (m *machine) place(s *ir.State) place { return place{m.name, s.Name.Value, s.Place()} }

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

// placeParam is the name of the machine's own place: a blank if no state passes it on.
func (m *machine) placeParam() string {
	if slices.ContainsFunc(m.places(), place.inherits) {
		return "at"
	}

	return "_"
}

// step compares what follows the agent of a state.
func (m *machine) step(name string, body []ast.Stmt) {
	if m.err != nil {
		return
	}
	goesOn, rejects := false, false
	for _, s := range m.ir.States {
		goesOn = goesOn || s.Agent != nil && !s.Terminal()
		catchAll := slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll)
		rejects = rejects || len(s.Rows) > 0 && !catchAll
	}

	var want []string
	if goesOn {
		want = append(want, "if "+m.over()+" { break }", "key, match := state.CanonicalKey(walk.Key())")
		if m.asked.guards {
			want = append(want, m.judgedStep()...)
		} else if rejects {
			want = append(want, "next, ok := state.Next(key)",
				"if !ok { return walk.Reject(runtime.Texts(state.Keys())) }")
		} else {
			want = append(want, "next, _ := state.Next(key)")
		}
		if !m.asked.guards {
			want = append(want, "walk.Take(string(key), match, next.String())")
		}
		want = append(want, "state = next")
	}
	if len(body) != len(want) {
		m.fail(name+", the step", strconv.Itoa(len(want))+" statements", strconv.Itoa(len(body)))
		return
	}
	for i, stmt := range body {
		m.written(name+", the step", want[i], stmt)
	}
}
