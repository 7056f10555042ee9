package verify

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// machinesIn returns the machines of all workflows that can run.
func machinesIn(p *ir.Program) []*stateMachine {
	var all []*stateMachine
	for _, a := range p.Agents {
		if n, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
			// A reader that has failed compares nothing.
			w := &workflow{reader: &reader{decls: &decls{}, agent: a.Name.Value, err: &MismatchError{}}, ir: n}
			w.states = map[*ir.Pipeline]inState{}
			w.locate(n.Body, inState{})
			w.pipeline(n.Body, "")
			all = append(all, w.machines...)
		}
	}

	return all
}

// test compares the test of a machine with the declarations of the file of tests.
func (m *stateMachine) test(d *decls) error {
	name := names.MachineTest(m.key)
	var states, ends, rows []string
	for _, s := range m.do.States {
		states = append(states, s.Name.Value)
		if s.End {
			ends = append(ends, s.Name.Value)
		}
	}
	for _, row := range m.do.Rows {
		from, guard := "*", ""
		if !row.Any {
			from = row.From.Value
		}
		if row.When != nil {
			guard = row.When.Text.Value
		}
		rows = append(rows, "{"+quoted(from, row.On.String(), row.To.Value, guard)+"}")
	}
	fields := "Name: " + quoted(m.task.Name.Value) + ", States: " + textList(states)
	if len(ends) > 0 {
		fields += ", Ends: " + textList(ends)
	}
	if len(rows) > 0 {
		fields += ", Rows: []machinetest.StepRow{" + strings.Join(rows, ", ") + "}"
	}
	fields += ", ParseState: " + names.ParseState(m.key)
	if len(rows) > 0 {
		fields += ", Next: new(" + names.RunType(m.agent) + ")." + m.verb(names.Next)
	}

	r := &reader{decls: d, agent: m.agent}
	r.writtenFunc(name, "func "+name+"(t *testing.T) { machinetest.CheckSteps(t, machinetest.Steps["+
		m.stateType()+", workflow.Event]{"+fields+"}) }")

	return r.err
}
