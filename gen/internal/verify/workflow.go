package verify

import (
	"fmt"
	"go/ast"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// stateMachine compares one machine of a workflow.
type stateMachine struct {
	*reader
	at   *ir.Pipeline
	task *ir.Task
	do   *ir.Machine
	// key is what the names of its types and constants begin with.
	key string
}

// workflow compares the machines of a workflow.
func (r *reader) workflow(w *ir.Workflow) { r.pipeline(w.Body) }

// pipeline compares the machines in a pipeline, also those in the states of others that are no ends.
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
			r.stateMachine(p, t, do)
			for _, s := range do.States {
				if !s.End {
					r.pipeline(s.Body)
				}
			}
		}
	}
}

func (r *reader) stateMachine(p *ir.Pipeline, t *ir.Task, do *ir.Machine) {
	m := &stateMachine{r, p, t, do, names.Machine(r.agent, p, t.Name.Value)}
	m.types()
	m.start()
	m.steps()
	m.rows()
}

// method is the name of a method of the machine, and the key of its declaration.
func (m *stateMachine) method(v names.Verb) (name, key string) {
	name = names.Work(v, m.at, m.task.Name.Value)

	return name, names.RunType(m.agent) + "." + name
}

func (m *stateMachine) state(s *ir.State) string { return names.State(m.key, s.Name.Value) }

// types compares the type of the states like that of a machine on its own.
func (m *stateMachine) types() {
	alone := &machine{reader: m.reader, ir: m.do, name: m.key}
	alone.stateConstants()
	alone.predicate("Ends", (*ir.State).Terminal)
	alone.stateTexts()
}

// start compares the state in which the machine begins.
func (m *stateMachine) start() {
	name, key := m.method(names.Walk)
	body := m.function(key)
	if m.err != nil {
		return
	}
	for _, stmt := range body {
		define, isAssign := stmt.(*ast.AssignStmt)
		if !isAssign || ident(define.Lhs[0]) != "state" {
			continue
		}
		start := define.Rhs[0]
		if call := callOf("Begin", start); call != nil {
			start = call.Args[0] // the initial context may say another one
		}
		m.equal(name+", the initial state", m.state(m.do.Initial.State), ident(start))
		return
	}
	m.fail(name, "an initial state", "none")
}

// steps compares which steps run in which state.
func (m *stateMachine) steps() {
	name, key := m.method(names.Do)
	var want, got []string
	for _, s := range m.do.States {
		if !s.End && len(s.Body.Tasks) > 0 {
			want = append(want, m.state(s)+" runs "+names.Pipeline(s.Body))
		}
	}
	clauses, _ := switches("state", m.function(key))
	for _, c := range clauses {
		if results := m.results(name, 1, c.Body...); m.err == nil {
			call, _ := results[0].(*ast.CallExpr)
			if call == nil || len(c.List) != 1 {
				m.fail(name, "a case for each state", m.text(c))
				return
			}
			got = append(got, ident(c.List[0])+" runs "+called(call))
		}
	}
	m.same(name, want, got)
}

// rows compares the rows, event by event.
func (m *stateMachine) rows() {
	name, key := m.method(names.Next)
	if len(m.do.Rows()) == 0 {
		m.absent(key)
		return
	}
	clauses, n := switches("on", m.function(key))
	if m.err == nil && n != 1 {
		m.fail(name, "a switch over the events", "something else")
	}
	for _, event := range events {
		want := m.ways(event.on)
		if len(want) == 0 || m.err != nil {
			continue
		}
		where := name + ", on " + event.on
		if len(clauses) == 0 {
			m.fail(where, "a case", "none")
			return
		}
		m.event(where, event.name, want, clauses[0])
		clauses = clauses[1:]
	}
	if m.err == nil && len(clauses) > 0 {
		m.fail(name, "no more cases", m.text(clauses[0]))
	}
}

// event compares the rows on one event.
func (m *stateMachine) event(where, name string, want []way, c *ast.CaseClause) {
	if len(c.List) != 1 || m.text(c.List[0]) != name {
		m.fail(where, "a case of "+name, m.text(c))
		return
	}
	got := m.read(where, c.Body)
	for i := range max(len(want), len(got)) {
		here := fmt.Sprintf("%s, row %d", where, i+1)
		switch {
		case m.err != nil:
			return
		case i >= len(got):
			m.fail(here, "one from "+want[i].from+" to "+want[i].to, "none")
		case i >= len(want):
			m.fail(here, "none", "one from "+got[i].from+" to "+got[i].to)
		case want[i] != got[i]:
			m.fail(here, fmt.Sprintf("%+v", want[i]), fmt.Sprintf("%+v", got[i]))
		}
	}
}
