package verify

import (
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/testplan"
)

// workflowTests compares the tests of the machines of all workflows.
func workflowTests(p *ir.Program, d *decls) error {
	for _, a := range p.Agents {
		n, isWorkflow := a.Node.(*ir.Workflow)
		if !isWorkflow {
			continue
		}
		w, plan := newWorkflow(&reader{decls: d, agent: a.Name.Value}, n), testplan.OfWorkflow(a)
		for _, m := range w.machines() {
			m.test(plan)
		}
		if w.err != nil {
			return w.err
		}
	}

	return nil
}

// hasMachines reports whether a workflow has a machine that can run.
func hasMachines(p *ir.Program) bool {
	return slices.ContainsFunc(p.Agents, func(a *ir.Agent) bool {
		n, isWorkflow := a.Node.(*ir.Workflow)
		return isWorkflow && len(newWorkflow(&reader{agent: a.Name.Value}, n).machines()) > 0
	})
}

// test compares the test of a machine.
func (m *stateMachine) test(plan *testplan.Work) {
	name := names.MachineTest(m.key)
	var states, ends, rows []string
	for _, s := range m.do.States {
		states = append(states, s.Name.Value)
		if s.End {
			ends = append(ends, s.Name.Value)
		}
	}
	for _, row := range m.do.Rows() {
		from, guard := "*", ""
		if !row.FromAny() {
			from = row.From.Value
		}
		if row.When != nil {
			guard = row.When.Text.Value
		}
		rows = append(rows, "{"+quoted(from, row.Key.Value, row.To.Value, guard)+"}")
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
	fields += m.runsInTest(plan)
	m.writtenFunc(name, "func "+name+"(t *testing.T) { machinetest.CheckSteps(t, machinetest.Steps["+
		m.stateType()+"]{"+fields+"}) }")
}

// runsInTest is how a test runs states, and what their steps are answered.
func (m *stateMachine) runsInTest(plan *testplan.Work) string {
	if !plan.Runs {
		return ""
	}
	fields := ", Run: new(App)." + names.RunState(m.key)
	if plan.Context != "" {
		fields += ", Context: " + quoted(plan.Context)
	}
	var answers []string
	if len(plan.Values) > 0 {
		answers = append(answers, "Values: machinetest.Values{"+valuesText(plan.Values)+"}")
	}
	if len(plan.Results) > 0 {
		answers = append(answers, "Results: map[string]string{"+answersText(plan.Results)+"}")
	}
	if len(plan.Answers) > 0 {
		answers = append(answers, "Answers: map[string]string{"+answersText(plan.Answers)+"}")
	}
	if len(answers) > 0 {
		fields += ", StepAnswers: machinetest.StepAnswers{" + strings.Join(answers, ", ") + "}"
	}

	return fields
}

func answersText(values map[string]string) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		lines = append(lines, quoted(name)+": "+quoted(values[name]))
	}

	return strings.Join(lines, ", ")
}
