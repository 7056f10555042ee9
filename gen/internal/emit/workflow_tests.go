package emit

import (
	"maps"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/testplan"
)

// stateMachines returns the machines of all workflows that can run.
func stateMachines(p *ir.Program) []*stateMachine {
	var all []*stateMachine
	for _, a := range p.Agents {
		if n, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
			all = append(all, newWorkflow(a, n).machines...)
		}
	}

	return all
}

// test emits the test that asks and runs a machine of a workflow.
func (m *stateMachine) test(f *jen.File) {
	l := &fields{}
	l.set("Name", text(m.task.Name.Value))
	var states, ends []string
	for _, s := range m.do.States {
		states = append(states, s.Name.Value)
		if s.End {
			ends = append(ends, s.Name.Value)
		}
	}
	l.texts("States", states)
	l.texts("Ends", ends)
	if len(m.do.Rows()) > 0 {
		l.set("Rows", jen.Index().Add(inTest("StepRow")).Custom(block, m.rowLines()...))
	}
	l.set("ParseState", m.parse())
	if len(m.do.Rows()) > 0 {
		l.set("Next", jen.New(jen.Id(names.RunType(m.name))).Dot(m.method(names.Next)))
	}
	plan := testplan.OfWorkflow(m.agent)
	m.runsInTest(l, plan)

	f.Func().Id(names.MachineTest(m.key)).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		inTest("CheckSteps").Call(jen.Id("t"),
			inTest("Steps").Types(m.stateType()).Add(l.braces())))
	f.Line()
	if plan.Runs {
		m.runState(f)
	}
}

// runsInTest sets how a test runs states, and what their steps are answered.
func (m *stateMachine) runsInTest(l *fields, plan *testplan.Work) {
	if !plan.Runs {
		return
	}
	l.set("Run", jen.Id(names.RunState(m.key)))
	if plan.Context != "" {
		l.set("Context", code(plan.Context))
	}
	answers := &fields{}
	if len(plan.Values) > 0 {
		answers.set("Values", inTest("Values").Custom(block, valueLines(plan.Values)...))
	}
	for _, of := range []struct {
		name   string
		values map[string]string
	}{{"Results", plan.Results}, {"Answers", plan.Answers}} {
		if len(of.values) > 0 {
			answers.set(of.name, jen.Map(jen.String()).String().Custom(block, answerLines(of.values)...))
		}
	}
	if len(answers.lines) > 0 {
		l.set("StepAnswers", inTest("StepAnswers").Add(answers.braces()))
	}
}

// answerLines are what is answered, a line each, sorted.
func answerLines(values map[string]string) []jen.Code {
	var lines []jen.Code
	for _, name := range slices.Sorted(maps.Keys(values)) {
		lines = append(lines, jen.Lit(name).Op(":").Add(code(values[name])))
	}

	return lines
}

// rowLines are the rows of a machine, a line each.
func (m *stateMachine) rowLines() []jen.Code {
	var lines []jen.Code
	for _, row := range m.do.Rows() {
		guard := ""
		if row.When != nil {
			guard = row.When.Text.Value
		}
		lines = append(lines, jen.Values(text(row.From.Value), text(row.Key.Value), text(row.To.Value), text(guard)))
	}

	return lines
}
