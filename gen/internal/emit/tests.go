package emit

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/dave/jennifer/jen"
)

// machinetestPath is the import path of the package that generated tests are made of.
const machinetestPath = runtimePath + "/machinetest"

// testDraft returns the file with the tests of the machines; nil if there are none.
func testDraft(p *ir.Program) *draft {
	var tests []func(*jen.File)
	files := []*source.File{nil} // so that one file is no special case
	for _, a := range p.Agents {
		m := a.MachineOf()
		w, isWorkflow := a.Node.(*ir.Workflow)
		if m != nil && len(m.States) > 0 {
			tests = append(tests, newMachine(a, m).test)
		}
		if isWorkflow {
			for _, m := range newWorkflow(a, w).machines {
				tests = append(tests, m.eventTest)
			}
		}
		if isWorkflow || m != nil {
			files = append(files, filesOf(a)...)
		}
	}
	if tests == nil {
		return nil
	}

	return &draft{
		name: names.TestFile, source: everything, sourceHash: sourceHash(files...),
		fill: func(f *jen.File) {
			for _, test := range tests {
				test(f)
			}
		},
	}
}

// test emits the test of an fsm or a gate.
func (m *machine) test(f *jen.File) {
	key, event := jen.Id("key"), jen.Id("event")
	// With white space, so that the keys of the state are needed to find one.
	next := jen.List(key, jen.Id("_")).Op(":=").Id("s").Dot("CanonicalKey").Call(jen.Lit(" ").Op("+").Add(event))
	found := jen.Return(jen.Id("s").Dot("Next").Call(key))
	body := []jen.Code{next, jen.Line(), found}
	if m.use.any {
		g := jen.Id("g")
		body = []jen.Code{
			next,
			g.Clone().Op(":=").Add(m.judge(nil, m.byState(jen.Int64()), m.byState(jen.String()), nil, nil)),
			g.Clone().Dot("Suppose").Op("=").Id("holds"),
			begin("g", "s", jen.Lit("")),
			jen.Line(),
			jen.Return(jen.Id("s").Dot("Next").Call(key, g)),
		}
	}
	keys := jen.Func().Params(jen.Id("s").Id(m.stateType)).Index().String().Block(
		jen.Return(inTest("Texts").Call(jen.Id("s").Dot("Keys").Call())))
	m.check(f, m.rowLines(), body, m.use.any, fieldsOf("Keys", wanted(len(m.keys) > 0, keys))...)
}

// eventTest emits the test of a machine of a workflow.
func (m *machine) eventTest(f *jen.File) {
	all := m.ir.Rows()
	rows := ir.Map(all, func(row *ir.Row) jen.Code { return rowLine(row.From.Value, row.Key.Value, row) })
	var body []jen.Code
	if len(rows) > 0 {
		find := jen.New(jen.Id(names.RunType(m.workflow.name))).Dot(m.method(names.Next))
		body = []jen.Code{
			jen.List(jen.Id("next"), jen.Id("match")).Op(":=").Add(find).Call(jen.Id("s"), inWorkflow("Event").Call(jen.Id("event"))),
			jen.Line(),
			jen.Return(jen.Id("next"), jen.Id("match").Op("!=").Add(in("rt.MatchNone"))),
		}
	}
	decides := slices.ContainsFunc(all, func(row *ir.Row) bool { return row.When != nil })
	m.check(f, rows, body, false, fieldsOf("Decides", decides)...)
}

// check emits a test that compares the code of a machine with its table. next is the body of the function that finds a row.
func (m *machine) check(f *jen.File, rows, next []jen.Code, judged bool, more ...jen.Code) {
	holds := "_"
	if judged {
		holds = "holds"
	}
	function := jen.Func().Params(
		jen.Id("s").Id(m.stateType), jen.Id("event").String(), jen.Id(holds).Func().Params(jen.String()).Bool()).
		Params(jen.Id(m.stateType), jen.Bool()).Block(next...)
	l := fieldsOf(
		"States", namesOf(m.ir.States, func(*ir.State) bool { return true }),
		"Ends", namesOf(m.ir.States, (*ir.State).Terminal),
		"Rows", listOf(inTest("Row"), rows),
		"Parse", jen.Id(names.ParseState(m.name)),
		"Next", wanted(next != nil, function))
	f.Func().Id(names.MachineTest(m.name)).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		inTest("Check").Call(jen.Id("t"), inTest("Machine").Types(jen.Id(m.stateType)).Add(append(l, more...).braces())))
	f.Line()
}

// rowLines are the rows of an fsm, a line each: those of a key in the order in which they are tried.
func (m *machine) rowLines() []jen.Code {
	var lines []jen.Code
	for _, s := range m.ir.States {
		if s.Always != nil {
			lines = append(lines, rowLine(s.Name.Value, ir.CatchAll, &ir.Row{To: *s.Always}))
		}
		for _, rows := range s.ByKey() {
			for _, row := range rows {
				lines = append(lines, rowLine(s.Name.Value, row.Key.Value, row))
			}
		}
	}

	return lines
}

func rowLine(from, on string, row *ir.Row) jen.Code {
	items := []jen.Code{text(from), text(on), text(row.To.Value)}
	if row.When != nil {
		items = append(items, code(askedName(row.When)))
	}

	return jen.Values(items...)
}

// askedName is what a guard is called when it is asked.
func askedName(guard *ir.Guard) string {
	switch {
	case guard.Func == nil:
		return guard.Text.Value
	case guard.Not:
		return "not " + guard.Func.Name.Value
	}

	return guard.Func.Name.Value
}

func namesOf(states []*ir.State, is func(*ir.State) bool) []string {
	var list []string
	for _, s := range states {
		if is(s) {
			list = append(list, s.Name.Value)
		}
	}

	return list
}

func inTest(name string) *jen.Statement { return jen.Qual(machinetestPath, name) }
