package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/testplan"
)

// machinetestPath is the import path of the package that generated tests are made of.
const machinetestPath = runtimePath + "/machinetest"

// testDraft returns the file with the tests of the machines; nil if there are none.
func testDraft(p *ir.Program) *draft {
	var machines []*machine
	for _, a := range p.Agents {
		if m, isMachine := a.Node.(*ir.Machine); isMachine && len(m.States) > 0 {
			machines = append(machines, newMachine(a, m))
		}
	}
	ofWorkflows := stateMachines(p)
	if machines == nil && ofWorkflows == nil {
		return nil
	}

	return &draft{
		name: names.TestFile, source: everything, sourceHash: sourceHash(sourcesOf(p)...),
		fill: func(f *jen.File) {
			f.ImportName(machinetestPath, "machinetest")
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

// test emits the test that asks and runs a machine.
func (m *machine) test(f *jen.File, plan *testplan.Plan) {
	l := &fields{}
	l.set("Name", text(m.name))
	l.set("Initial", text(m.ir.Initial.Value))
	l.set("Table", inTest("Table").Custom(block, tableLines(plan.States)...))
	l.texts("Terminals", namesOf(plan.States, func(s *ir.State) bool { return s.Terminal() && s.Agent != nil }))
	l.texts("Markers", namesOf(plan.States, (*ir.State).Marker))
	if plan.Cut {
		l.set("Cut", jen.True())
	}
	if len(plan.Dead) > 0 {
		l.set("Dead", inTest("Reasons").Custom(block, deadLines(plan.Dead)...))
	}
	l.texts("Unreached", namesOf(plan.Unreached, func(*ir.State) bool { return true }))
	if len(plan.Values) > 0 {
		l.set("Values", inTest("Values").Custom(block, valueLines(plan.Values)...))
	}
	l.set("Last", m.state(m.ir.States[len(m.ir.States)-1]))
	l.set("ParseState", jen.Id(names.ParseState(m.name)))
	if len(m.keys) > 0 {
		l.set("ParseKey", jen.Id(names.ParseKey(m.name)))
	}
	if plan.Runs {
		l.set("Run", jen.New(jen.Id("App")).Dot(names.Run(m.name)))
	}

	f.Func().Id(names.MachineTest(m.name)).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		inTest("Check").Call(jen.Id("t"), inTest("Machine").Types(jen.Id(m.keyType), jen.Id(m.stateType)).Add(l.braces())))
	f.Line()
}

func inTest(name string) *jen.Statement { return jen.Qual(machinetestPath, name) }
