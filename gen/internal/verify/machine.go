package verify

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// machine compares one machine.
type machine struct {
	*reader
	ir *ir.Machine
	// name is what identifiers are made from.
	name string
}

// machine compares the machine of an fsm, or one that others drive.
func (r *reader) machine(n *ir.Machine) {
	m := &machine{reader: r, ir: n, name: r.agent}
	m.tables()
	if n.External {
		m.absent("App." + names.Run(m.name))

		return
	}
	m.run("App." + names.Run(m.name))
}

// gate compares the gate of a react agent.
func (r *reader) gate(n *ir.Machine) {
	m := &machine{reader: r, ir: n, name: r.agent}
	m.tables()
	m.equal("the initial state", m.state(n.Initial.State), m.valueOf("Initial", m.function("App."+names.Run(m.name))))
}

// tables compares the types, constants and pure functions.
func (m *machine) tables() {
	m.states()
	m.keyConstants()
	typ := names.StateType(m.name)
	var next, rest []row
	var lists []string
	for _, s := range m.ir.States {
		state := m.state(s)
		next = append(next, m.rowsOf(s)...)
		if keys := s.Keys(); len(keys) > 0 {
			for i, key := range keys {
				keys[i] = names.Key(m.name, key)
			}
			lists = append(lists, state+": {"+strings.Join(keys, ", ")+"}")
		}
		switch {
		case s.Always != nil:
			rest = append(rest, row{state: state, does: "rest = rt.MatchUnconditional"})
		case slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll):
			rest = append(rest, row{state: state, does: "rest = rt.MatchCatchAll"})
		}
	}

	m.sameRows("Next", append(next, row{does: "return 0, false"}), m.table(typ, "Next"))
	m.same(names.KeyLists(m.name), lists, m.elements(names.KeyLists(m.name)))
	ways := m.ordered(m.rows(row{}, m.function(typ+".CanonicalKey")))
	m.sameRows("CanonicalKey", rest, slices.DeleteFunc(ways, func(one row) bool { return one.state == "" }))
}

// constant is the name of the constant of a state.
func (m *machine) state(s *ir.State) string { return names.State(m.name, s.Name.Value) }

// states compares the constants and the names of the states, that their type has room for them, and in which the machine ends.
func (m *machine) states() {
	typ := names.StateType(m.name)
	m.index = map[string]int{}
	var want, shown, ends []string
	for i, s := range m.ir.States {
		name := m.state(s)
		m.index[name] = i
		want = append(want, name)
		shown = append(shown, name+": "+strconv.Quote(s.Name.Value))
		if s.Terminal() {
			ends = append(ends, name)
		}
	}
	want[0] += " " + typ + " = iota + 1"
	m.same("the states", want, ir.Map(m.constants(typ), func(spec *ast.ValueSpec) string { return strings.Join(strings.Fields(m.text(spec)), " ") }))
	room := map[string]int{"uint8": 1<<8 - 1, "uint16": 1<<16 - 1, "uint32": 1<<32 - 1}
	if kind := m.text(m.types[typ]); room[kind] < len(m.ir.States) {
		m.fail("the type of the states", "room for "+strconv.Itoa(len(m.ir.States)), kind)
	}

	m.same(names.StateNames(m.name), shown, m.elements(names.StateNames(m.name)))

	var terminal []row
	last := row{does: "return s == 0"}
	if len(ends) == 1 {
		last.does += " || s == " + ends[0]
	} else {
		terminal = append(terminal, ir.Map(ends, func(end string) row { return row{state: end, does: "return true"} })...)
	}
	m.sameRows("Terminal", append(terminal, last), m.table(typ, "Terminal"))
}

// elements are those of a list that is a variable, with their indices.
func (m *machine) elements(variable string) []string {
	var listed []string
	if list, isList := m.values[variable].(*ast.CompositeLit); isList {
		for _, e := range list.Elts {
			if pair, isPair := e.(*ast.KeyValueExpr); isPair {
				listed = append(listed, m.text(pair.Key)+": "+m.text(pair.Value))
			}
		}
	}

	return listed
}

// constants returns the constants of the groups that begin with one of a type.
func (m *machine) constants(typ string) []*ast.ValueSpec {
	var all []*ast.ValueSpec
	for _, group := range m.groups {
		specs := ir.Map(group.Specs, func(spec ast.Spec) *ast.ValueSpec { return spec.(*ast.ValueSpec) })
		if m.text(specs[0].Type) == typ {
			all = append(all, specs...)
		}
	}

	return all
}

// keyConstants compares the constants of the keys.
func (m *machine) keyConstants() {
	typ := names.KeyType(m.name)
	want := ir.Map(names.Keys(m.ir), func(key ir.Text) string { return names.Key(m.name, key.Value) + " " + typ + " = " + key.Value })
	m.same("the keys", want, ir.Map(m.constants(typ), func(spec *ast.ValueSpec) string {
		return spec.Names[0].Name + " " + m.text(spec.Type) + " = " + constant(spec.Values[0])
	}))
}

// rowsOf returns the rows of a state as Next has them. In a state with guards those of each key are tried in the order in which the
// keys come first, then those for every key; behind a row without a guard none is tried.
func (m *machine) rowsOf(s *ir.State) []row {
	if s.Always != nil {
		return []row{{state: m.state(s), does: "return " + m.state(s.Always.State) + ", true"}}
	}
	var rows, rest []row
	for _, tried := range s.ByKey() {
		to := &rows
		if s.Guarded() && tried[0].IsCatchAll() {
			to = &rest
		}
		for i, r := range tried {
			ok := "true"
			switch {
			case r.When != nil || !s.Guarded():
			case r.IsCatchAll():
				ok = "g.CatchAll()"
			case i > 0:
				ok = "g.Else()"
			}
			*to = append(*to, m.row(s, r, ok))
			if r.When == nil {
				break
			}
		}
	}

	return append(rows, rest...)
}

// row is a row as Next has it, with how it says that there is one.
func (m *machine) row(s *ir.State, r *ir.Row, ok string) row {
	one := row{state: m.state(s)}
	if !r.IsCatchAll() {
		one.key = names.Key(m.name, r.Key.Value)
	}
	switch guard := r.When; {
	case guard == nil:
	case guard.Func == nil:
		one.guard = guard.Text.Value
	case guard.Not:
		one.guard = fmt.Sprintf("g.AskNot(%q)", guard.Func.Name.Value)
	default:
		one.guard = fmt.Sprintf("g.Ask(%q)", guard.Func.Name.Value)
	}
	to := "0"
	if !r.End {
		to = m.state(r.To.State)
	}
	one.does = "return " + to + ", " + ok

	return one
}
