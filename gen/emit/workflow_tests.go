package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
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

// test emits the test that asks a machine of a workflow.
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
	if len(m.do.Rows) > 0 {
		l.set("Rows", jen.Index().Add(inTest("StepRow")).Custom(block, m.rowLines()...))
	}
	l.set("ParseState", m.parse())
	if len(m.do.Rows) > 0 {
		l.set("Next", jen.New(jen.Id(names.RunType(m.name))).Dot(m.method(names.Next)))
	}

	f.Func().Id(names.MachineTest(m.key)).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		inTest("CheckSteps").Call(jen.Id("t"),
			inTest("Steps").Types(m.stateType(), inWorkflow("Event")).Add(l.braces())))
	f.Line()
}

// rowLines are the rows of a machine, a line each.
func (m *stateMachine) rowLines() []jen.Code {
	var lines []jen.Code
	for _, row := range m.do.Rows {
		from, guard := "*", ""
		if !row.Any {
			from = row.From.State.Name.Value
		}
		if row.When != nil {
			guard = row.When.Text.Value
		}
		lines = append(lines, jen.Values(text(from), text(row.On.String()), text(row.To.State.Name.Value), text(guard)))
	}

	return lines
}
