package emit

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/dave/jennifer/jen"
)

// machinetestPath is the import path of the package that generated tests use.
const machinetestPath = linkedPath + "/machinetest"

// newTestDraft returns the file with the tests of the machines; nil if there are none.
func newTestDraft(p *ir.Program) *draft {
	var tests []func(*jen.File)
	fixed := names.FixedNames(p)
	for _, of := range p.Agents {
		a := agent{of, fixed}
		m := a.MachineOf()
		w, isWorkflow := ir.WorkflowOf(a.Node)
		if m != nil && len(m.States) > 0 {
			tests = append(tests, newMachine(a, m).emitTest)
		}
		if isWorkflow {
			tests = append(tests, ir.Map(newWorkflow(a, w).machines, func(m *machine) func(*jen.File) { return m.emitEventTest })...)
		}
	}
	if tests == nil {
		return nil
	}

	return &draft{
		name: names.TestFile, source: everything,
		fill: func(f *jen.File) {
			for _, test := range tests {
				test(f)
			}
		},
	}
}

// emitTest emits the test of an fsm or a gate.
func (m *machine) emitTest(f *jen.File) {
	method := func(name string) *jen.Statement { return jen.Id(m.stateType).Dot(name) }
	next := inTest("ByKey").Call(method("CanonicalKey"), method("Next"))
	if m.use.any {
		next = inTest("ByGuardedKey").Call(jen.Lit(len(m.ir.States)), method("CanonicalKey"), method("Next"))
	}
	m.emitCheck(f, m.rowLines(), "Next", next, "Keys", codeIf(len(m.keys) > 0, inTest("Keys").Call(method("Keys"))))
}

// emitEventTest emits the test of a machine of a workflow.
func (m *machine) emitEventTest(f *jen.File) {
	all := m.ir.Rows()
	rows := ir.Map(all, func(row *ir.Row) jen.Code { return rowLine(row.From.Value, row.Key.Value, row) })
	var finds []jen.Code
	if m.hasUnguardedRows() {
		finds = append(finds, jen.Id(names.Rows(m.name)).Dot("Find"))
	}
	if m.hasGuardedRows() {
		finds = append(finds, jen.New(jen.Id(names.RunType(m.workflow.name))).Dot(m.methodName(names.Next)))
	}
	next := inTest("ByEvent").Call(finds...)
	decides := slices.ContainsFunc(all, func(row *ir.Row) bool { return row.When != nil })
	m.emitCheck(f, rows, "Next", codeIf(len(rows) > 0, next), "Decides", decides)
}

// emitCheck emits a test that compares the code of a machine, which the fields name, with its
// table.
func (m *machine) emitCheck(f *jen.File, rows []jen.Code, code ...any) {
	l := newFields(
		"States", ir.Map(m.ir.States, stateName),
		"Ends", ir.Map(ir.Where(m.ir.States, (*ir.State).IsTerminal), stateName),
		"Rows", structList(inTest("Row"), rows),
		"Parse", jen.Id(names.ParseState(m.name)))
	f.Func().Id(names.MachineTest(m.name)).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		inTest("Check").Call(jen.Id("t"), inTest("Machine").Types(jen.Id(m.stateType)).Add(append(l, newFields(code...)...).onLines())))
	f.Line()
}

// rowLines returns the rows of an fsm, a line each; the rows of a key are in the order in which
// they are tried.
func (m *machine) rowLines() []jen.Code {
	var lines []jen.Code
	for _, s := range m.ir.States {
		if s.Always != nil {
			lines = append(lines, rowLine(s.Name.Value, ir.CatchAll, &ir.Row{To: *s.Always}))
		}
		for _, rows := range s.RowsByKey() {
			lines = append(lines, ir.Map(rows, func(row *ir.Row) jen.Code { return rowLine(s.Name.Value, row.Key.Value, row) })...)
		}
	}

	return lines
}

func rowLine(from, on string, row *ir.Row) jen.Code {
	items := []jen.Code{textLiteral(from), textLiteral(on), textLiteral(row.To.Value)}
	if row.When != nil {
		items = append(items, codeLiteral(guardName(row.When)))
	}

	return jen.Values(items...)
}

// guardName returns the name of a guard in tests.
func guardName(guard *ir.Guard) string {
	switch {
	case guard.Func == nil:
		return guard.Text.Value
	case guard.Not:
		return "not " + guard.Func.Name.Value
	}

	return guard.Func.Name.Value
}

func stateName(s *ir.State) string { return s.Name.Value }

func inTest(name string) *jen.Statement { return jen.Qual(machinetestPath, name) }
