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
	plan := testplan.OfWorkflow(m.agent)
	hasRows := len(m.do.Rows()) > 0
	l := fieldsOf(
		"Name", m.task.Name,
		"States", namesOf(m.do.States, func(*ir.State) bool { return true }),
		"Ends", namesOf(m.do.States, func(s *ir.State) bool { return s.End }),
		"Rows", listOf(inTest("StepRow"), m.rowLines()),
		"ParseState", m.parse(),
		"Next", wanted(hasRows, jen.New(jen.Id(names.RunType(m.name))).Dot(m.method(names.Next))))
	if plan.Runs {
		l = append(l, fieldsOf("Run", jen.Id(names.RunState(m.key)), "Context", wanted(plan.Context != "", code(plan.Context)))...)
		answers := fieldsOf("Values", valuesIn(plan.Values), "Results", answersIn(plan.Results), "Answers", answersIn(plan.Answers))
		l = append(l, fieldsOf("StepAnswers", wanted(len(answers) > 0, inTest("StepAnswers").Add(answers.braces())))...)
	}

	emitTest(f, names.MachineTest(m.key), inTest("CheckSteps"), inTest("Steps").Types(m.stateType()), l)
	if plan.Runs {
		m.runState(f)
	}
}

// answersIn are what is answered, a line each, sorted; nil without any.
func answersIn(values map[string]string) *jen.Statement {
	var lines []jen.Code
	for _, name := range slices.Sorted(maps.Keys(values)) {
		lines = append(lines, jen.Lit(name).Op(":").Add(code(values[name])))
	}

	return wanted(len(lines) > 0, jen.Map(jen.String()).String().Custom(block, lines...))
}

// rowLines are the rows of a machine, a line each.
func (m *stateMachine) rowLines() []jen.Code {
	return eachOf(m.do.Rows(), func(row *ir.Row) jen.Code {
		return jen.Values(text(row.From.Value), text(row.Key.Value), text(row.To.Value), text(askedName(row.When)))
	})
}
