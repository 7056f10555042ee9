package verify

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/testplan"
)

// tests compares the tests of the machines: a wrong one would fail in a right project, or pass in a wrong one.
func tests(p *ir.Program, files map[string]*emit.File) error {
	plans := testplan.Of(p)
	if len(plans) == 0 && !hasMachines(p) {
		return nil
	}
	f := files[names.TestFile]
	if f == nil {
		return &MismatchError{Machine: allAgents, Where: names.TestFile, Want: "a file", Got: "none"}
	}
	d, err := parse(f)
	if err != nil {
		return err
	}
	if err := workflowTests(p, d); err != nil {
		return err
	}
	for _, a := range p.Agents {
		if m := a.MachineOf(); plans[a] != nil {
			r := &reader{decls: d, agent: a.Name.Value}
			if r.machineTest(m, plans[a]); r.err != nil {
				return r.err
			}
		}
	}

	return nil
}

// machineTest compares the test of one machine.
func (r *reader) machineTest(m *ir.Machine, plan *testplan.Plan) {
	name := names.MachineTest(r.agent)
	var b strings.Builder
	for _, field := range r.testFields(m, plan) {
		b.WriteString(field.name + ": " + field.value + ", ")
	}
	check, typ := "Check", "Machine"
	if m.Guarded() {
		check, typ = "CheckGuarded", "Guarded"
	}
	r.writtenFunc(name, "func "+name+"(t *testing.T) { machinetest."+check+"(t, machinetest."+typ+"["+
		names.KeyType(r.agent)+", "+names.StateType(r.agent)+"]{"+b.String()+"}) }")
}

// testFields are what a test knows of its machine.
func (r *reader) testFields(m *ir.Machine, plan *testplan.Plan) []field {
	var want []field
	add := func(set bool, name, value string) {
		if set {
			want = append(want, field{name, value})
		}
	}
	named := func(name string, states []*ir.State, is func(*ir.State) bool) {
		var list []string
		for _, s := range states {
			if is(s) {
				list = append(list, s.Name.Value)
			}
		}
		add(len(list) > 0, name, textList(list))
	}
	add(true, "Name", strconv.Quote(r.agent))
	add(true, "Initial", strconv.Quote(m.Initial.Value))
	guards := m.Guarded()
	add(guards, "Table", "machinetest.GuardedTable{"+guardedText(plan.States)+"}")
	add(!guards, "Table", "machinetest.Table{"+tableText(plan.States)+"}")
	named("Terminals", plan.States, func(s *ir.State) bool { return s.Terminal() && s.Agent != nil })
	named("Markers", plan.States, (*ir.State).Marker)
	add(plan.Cut, "Cut", "true")
	add(len(plan.Dead) > 0 && !guards, "Dead", "machinetest.Reasons{"+deadText(plan.Dead)+"}")
	named("Unreached", plan.Unreached, func(*ir.State) bool { return !guards })
	add(len(plan.Values) > 0, "Values", "machinetest.Values{"+valuesText(plan.Values)+"}")
	add(true, "Last", names.State(r.agent, m.States[len(m.States)-1].Name.Value))
	add(true, "ParseState", names.ParseState(r.agent))
	add(len(names.Keys(m)) > 0, "ParseKey", names.ParseKey(r.agent))
	add(guards, "Next", askedNext(r.agent, m))
	add(plan.Runs, "Run", "new(App)."+names.Run(r.agent))

	return want
}

// rowsOf returns the rows of a state as a test writes them.
func rowsOf(s *ir.State) []string {
	if s.Always != nil {
		return []string{"{machinetest.Always, " + strconv.Quote(s.Always.Value) + "}"}
	}
	var rows []string
	for _, row := range s.Rows {
		to := "machinetest.End"
		if !row.End {
			to = strconv.Quote(row.To.Value)
		}
		rows = append(rows, "{"+strconv.Quote(row.Key.Value)+", "+to+"}")
	}

	return rows
}

func tableText(states []*ir.State) string {
	var lines []string
	for _, s := range states {
		if !s.Terminal() {
			lines = append(lines, strconv.Quote(s.Name.Value)+": {"+strings.Join(rowsOf(s), ", ")+"}")
		}
	}

	return strings.Join(lines, ", ")
}

func deadText(dead []testplan.Dead) string {
	var lines []string
	for i := 0; i < len(dead); {
		s := dead[i].State
		var rows []string
		for ; i < len(dead) && dead[i].State == s; i++ {
			key := "machinetest.Always"
			if dead[i].Row != nil {
				key = strconv.Quote(dead[i].Row.Key.Value)
			}
			rows = append(rows, key+": "+strconv.Quote(dead[i].Why))
		}
		lines = append(lines, strconv.Quote(s.Name.Value)+": {"+strings.Join(rows, ", ")+"}")
	}

	return strings.Join(lines, ", ")
}

func valuesText(values map[string][]string) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		lines = append(lines, strconv.Quote(name)+": {"+quoted(values[name]...)+"}")
	}

	return strings.Join(lines, ", ")
}
