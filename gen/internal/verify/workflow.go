package verify

import (
	"go/ast"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// stateMachine compares one machine of a workflow.
type stateMachine struct {
	machine
	at   *ir.Pipeline
	task *ir.Task
}

// pipeline compares the machines in a pipeline, also those in the states of others that are no
// ends.
func (r *reader) pipeline(p *ir.Pipeline) {
	for _, t := range p.Tasks {
		for ; t != nil; t = t.Fallback {
			do, isMachine := t.Do.(*ir.Machine)
			if !isMachine {
				for _, inside := range t.Pipelines() {
					r.pipeline(inside)
				}
				continue
			}
			m := &stateMachine{machine{r, do, names.Machine(r.agent, p, t.Name.Value)}, p, t}
			m.states()
			m.walk()
			m.next()
			for _, s := range do.States {
				if !s.End {
					r.pipeline(s.Body)
				}
			}
		}
	}
}

// method is the name of a method of the machine, and its statements.
func (m *stateMachine) method(v names.Verb) (name string, body []ast.Stmt) {
	name = names.Work(v, m.at, m.task.Name.Value)

	return name, m.function(names.RunType(m.agent) + "." + name)
}

// walk compares the state in which the machine begins, and which steps run in which state.
func (m *stateMachine) walk() {
	name, body := m.method(names.Walk)
	start := strings.TrimSuffix(strings.TrimPrefix(m.assigned("state", body), "state := m.Begin("), ")")
	m.equal(name+", the initial state", m.state(m.ir.Initial.State), strings.TrimPrefix(start, "state := "))
	var want []row
	for _, s := range m.ir.States {
		if !s.End && len(s.Body.Tasks) > 0 {
			want = append(want, row{state: m.state(s), does: "value, err = r." + names.Pipeline(s.Body) + "(value)"})
		}
	}
	m.sameRows(name, want, m.overState(body))
}

// events are the cases of the switches.
var events = []struct{ on, name string }{
	{ir.OnSuccess, "workflow.Success"}, {ir.OnFailure, "workflow.Failure"}, {ir.OnPause, "workflow.Pause"},
}

// next compares the rows of each state, event by event. Of guards it compares where there are some.
func (m *stateMachine) next() {
	if len(m.ir.Rows()) == 0 {
		m.absent(names.RunType(m.agent) + "." + names.Work(names.Next, m.at, m.task.Name.Value))
		return
	}
	const guard = "a guard"
	name, body := m.method(names.Next)
	var want []row
	for _, s := range m.ir.States {
		for _, event := range events {
			for _, r := range m.ir.Ways(s, event.on) {
				one := row{state: m.state(s), key: event.name}
				match := "rt.MatchExact"
				switch {
				case r.When != nil:
					one.guard, match = guard, "rt.MatchGuard"
				case r.FromAny():
					match = "rt.MatchCatchAll"
				}
				one.does = "return " + m.state(r.To.State) + ", " + match
				want = append(want, one)
			}
		}
	}
	got := m.ordered(m.byState(body))
	for i := range got {
		if got[i].guard != "" {
			got[i].guard = guard
		}
	}
	m.sameRows(name, append(want, row{does: "return 0, rt.MatchNone"}), got)
}
