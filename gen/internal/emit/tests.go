package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/testplan"
)

// machinetestPath is the import path of the package that generated tests are made of.
const machinetestPath = runtimePath + "/machinetest"

// testDraft returns the file with the tests of the machines; nil if there are none.
func testDraft(p *ir.Program) *draft {
	var machines []*machine
	for _, a := range p.Agents {
		if m := a.MachineOf(); m != nil && len(m.States) > 0 {
			machines = append(machines, newMachine(a, m))
		}
	}
	ofWorkflows := stateMachines(p)
	if machines == nil && ofWorkflows == nil {
		return nil
	}

	return &draft{
		name: names.TestFile, source: everything, sourceHash: sourceHash(filesOfMachines(p)...),
		fill: func(f *jen.File) {
			plans := testplan.Of(p)
			for _, m := range machines {
				m.test(f, plans[m.agent])
			}
			for _, m := range ofWorkflows {
				m.test(f)
			}
		},
	}
}

// filesOfMachines returns the files in which machines are written: no other change of a project changes their tests.
func filesOfMachines(p *ir.Program) []*source.File {
	files := []*source.File{nil} // so that one file is no special case
	for _, a := range p.Agents {
		if _, isWorkflow := a.Node.(*ir.Workflow); isWorkflow || a.MachineOf() != nil {
			files = append(files, filesOf(a)...)
		}
	}

	return files
}

// test emits the test that asks and runs a machine.
func (m *machine) test(f *jen.File, plan *testplan.Plan) {
	check, typ, table := "Check", "Machine", "Table"
	var next *jen.Statement
	if m.use.any {
		check, typ, table, next = "CheckGuarded", "Guarded", "GuardedTable", m.askedNext()
	}
	l := fieldsOf(
		"Name", m.name,
		"Initial", m.ir.Initial.Text,
		"Table", inTest(table).Custom(block, tableLines(m.ir.States, m.use.any)...),
		"Terminals", namesOf(m.ir.States, func(s *ir.State) bool { return s.Terminal() && s.Agent != nil }),
		"Markers", namesOf(m.ir.States, (*ir.State).Marker),
		"Partly", plan.Partly && plan.Runs && !m.use.any, // a run of a machine with guards may not get everywhere
		"Values", valuesIn(plan.Values),
		"Last", m.state(m.ir.States[len(m.ir.States)-1]),
		"ParseState", jen.Id(names.ParseState(m.name)),
		"Next", next,
		"Run", wanted(plan.Runs, in("rt.Entry").Call(jen.New(jen.Id("App")).Dot(names.Run(m.name)))))

	emitTest(f, names.MachineTest(m.name), inTest(check), inTest(typ).Types(jen.Id(m.keyType), jen.Id(m.stateType)), l)
}

// emitTest emits a test that checks a machine as the fields describe it.
func emitTest(f *jen.File, name string, check, typ *jen.Statement, l fields) {
	f.Func().Id(name).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(check.Call(jen.Id("t"), typ.Add(l.braces())))
	f.Line()
}

// askedNext returns the function with which the test asks the transition function.
func (m *machine) askedNext() *jen.Statement {
	return jen.Func().Params(
		jen.Id("s").Id(m.stateType), jen.Id("key").Id(m.keyType), jen.Id("prepare").Func().Params(jen.Op("*").Add(in("rt.Judge")))).
		Params(jen.Id(m.stateType), jen.Bool()).Block(
		jen.Id("g").Op(":=").Add(m.madeGuards(jen.Lit(""), jen.Nil(), jen.Nil())),
		jen.Id("prepare").Call(jen.Op("&").Id("g").Dot("Judge")),
		jen.Line(),
		jen.Return(jen.Id("s").Dot("Next").Call(jen.Id("key"), jen.Id("g"))))
}

func inTest(name string) *jen.Statement { return jen.Qual(machinetestPath, name) }
