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
	alone.terminal()
	alone.stateTexts()
}

// start compares the state in which the machine begins, which the pipeline says where it runs the
// machine.
func (m *stateMachine) start() {
	name, _ := m.method(names.Walk)
	body := m.function(names.RunType(m.agent) + "." + names.Pipeline(m.at))
	if m.err != nil {
		return
	}
	walk := callOf(name, &ast.BlockStmt{List: body})
	if walk == nil || len(walk.Args) != 2 {
		m.fail(name, "a call with an initial state", "none")
		return
	}
	m.equal(name+", the initial state", m.state(m.do.Initial.State), ident(walk.Args[1]))
}

// steps compares which steps run in which state.
func (m *stateMachine) steps() {
	name, key := m.method(names.Walk)
	var want, got []string
	rest := false
	for _, s := range m.do.States {
		switch {
		case s.End:
		case len(s.Body.Tasks) == 0:
			rest = true
		default:
			want = append(want, m.state(s)+" runs "+names.Pipeline(s.Body))
		}
	}
	if rest && len(want) > 0 {
		want = append(want, "the others give on their input")
	}
	clauses, _ := switches("state", m.function(key))
	for _, c := range clauses {
		did := callOf("Did", &ast.BlockStmt{List: c.Body})
		switch {
		case did == nil || len(c.Body) != 1:
			m.fail(name, "a case for each state", m.text(c))
			return
		case len(c.List) == 0 && m.text(did) == "m.Did(m.Input(), nil)":
			got = append(got, "the others give on their input")
		case len(c.List) == 1 && len(did.Args) == 1:
			run, _ := did.Args[0].(*ast.CallExpr)
			if run != nil {
				got = append(got, ident(c.List[0])+" runs "+called(run))
			}
		}
	}
	m.same(name, want, got)
}

// rows compares the rows, in the order in which the switches have them.
func (m *stateMachine) rows() {
	name, key := m.method(names.Next)
	if len(m.do.Rows()) == 0 {
		m.absent(key)
		return
	}
	body := m.function(key)
	if m.err != nil {
		return
	}
	want, got := m.ways(), m.read(name, body[:len(body)-1])
	for i := range max(len(want), len(got)) {
		here := fmt.Sprintf("%s, row %d", name, i+1)
		switch {
		case m.err != nil:
			return
		case i >= len(got):
			m.fail(here, fmt.Sprintf("%+v", want[i]), "none")
		case i >= len(want):
			m.fail(here, "none", fmt.Sprintf("%+v", got[i]))
		case want[i] != got[i]:
			m.fail(here, fmt.Sprintf("%+v", want[i]), fmt.Sprintf("%+v", got[i]))
		}
	}
}
