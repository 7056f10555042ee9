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
	l := &fields{}
	l.set("Name", text(m.name))
	l.set("Initial", text(m.ir.Initial.Value))
	typ := "Machine"
	if m.use.any {
		typ = "Guarded"
		l.set("Table", inTest("GuardedTable").Custom(block, guardedLines(plan.States)...))
	} else {
		l.set("Table", inTest("Table").Custom(block, tableLines(plan.States)...))
	}
	l.texts("Terminals", namesOf(plan.States, func(s *ir.State) bool { return s.Terminal() && s.Agent != nil }))
	l.texts("Markers", namesOf(plan.States, (*ir.State).Marker))
	if plan.Cut {
		l.set("Cut", jen.True())
	}
	if plan.Partly && plan.Runs && !m.use.any { // a run of a machine with guards may not get everywhere
		l.set("Partly", jen.True())
	}
	if len(plan.Values) > 0 {
		l.set("Values", inTest("Values").Custom(block, valueLines(plan.Values)...))
	}
	l.set("Last", m.state(m.ir.States[len(m.ir.States)-1]))
	l.set("ParseState", jen.Id(names.ParseState(m.name)))
	if m.use.any {
		l.set("Next", m.askedNext())
	}
	if plan.Runs {
		l.set("Run", in("Entry").Call(jen.New(jen.Id("App")).Dot(names.Run(m.name))))
	}

	f.Func().Id(names.MachineTest(m.name)).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		inTest(checks[typ]).Call(jen.Id("t"), inTest(typ).Types(jen.Id(m.keyType), jen.Id(m.stateType)).Add(l.braces())))
	f.Line()
}

// checks are the functions that check what a type says of a machine.
var checks = map[string]string{"Machine": "Check", "Guarded": "CheckGuarded"}

// askedNext returns the function with which the test asks the transition function.
func (m *machine) askedNext() *jen.Statement {
	args := []jen.Code{jen.Lit("")}
	if m.use.named {
		args = append(args, jen.Nil(), jen.Nil())
	}

	return jen.Func().Params(
		jen.Id("s").Id(m.stateType), jen.Id("key").Id(m.keyType), jen.Id("prepare").Func().Params(jen.Op("*").Add(in("Judge")))).
		Params(jen.Id(m.stateType), jen.Bool()).Block(
		jen.Id("g").Op(":=").Id(names.NewGuards(m.name)).Call(args...),
		jen.Id("prepare").Call(jen.Op("&").Id("g").Dot("Judge")),
		jen.Line(),
		jen.Return(jen.Id("s").Dot("Next").Call(jen.Id("key"), jen.Id("g"))))
}

func inTest(name string) *jen.Statement { return jen.Qual(machinetestPath, name) }
