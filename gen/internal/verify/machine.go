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
		m.absent(m.fixed.App + "." + names.Run(m.name))

		return
	}
	m.run(m.fixed.App + "." + names.Run(m.name))
}

// gate compares the gate of a react agent.
func (r *reader) gate(n *ir.Machine) {
	m := &machine{reader: r, ir: n, name: r.agent}
	m.tables()
	fields := m.fields(&ast.BlockStmt{List: m.function(m.fixed.App + "." + names.Run(m.name))})
	initial := ir.Where(fields, func(field row) bool { return field.state == "Initial" })
	m.same("the initial state", []row{{state: "Initial", does: m.state(n.Initial.State)}}, initial)
}

// tables compares the types, constants and pure functions.
func (m *machine) tables() {
	m.states()
	typ := names.StateType(m.name)
	var next, lists, rest []row
	for _, s := range m.ir.States {
		state := m.state(s)
		next = append(next, m.rowsOf(s)...)
		if keys := s.Keys(); len(keys) > 0 {
			own := ir.Map(keys, func(key string) string { return names.Key(m.name, key) })
			lists = append(lists, row{state: state, does: "{" + strings.Join(own, ", ") + "}"})
		}
		switch {
		case s.Always != nil:
			rest = append(rest, row{state: state, does: "rest = rt.MatchUnconditional"})
		case slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll):
			rest = append(rest, row{state: state, does: "rest = rt.MatchCatchAll"})
		}
	}

	m.same("Next", append(next, row{does: "return 0, false"}), m.table(typ+".Next"))
	m.same(names.KeyLists(m.name), lists, m.fields(m.values[names.KeyLists(m.name)]))
	ways := m.ordered(m.rows(row{}, m.function(typ+".CanonicalKey")))
	m.same("CanonicalKey", rest, ir.Where(ways, func(one row) bool { return one.state != "" }))
}

// state is the constant of a state.
func (m *machine) state(s *ir.State) string { return names.State(m.name, s.Name.Value) }

// states compares the constants and the names of the states, that their type has room for them, and
// in which the machine ends.
func (m *machine) states() {
	typ := names.StateType(m.name)
	m.index = map[string]int{}
	var constants, shown, terminal []row
	for i, s := range m.ir.States {
		name := m.state(s)
		m.index[name] = i
		constants = append(constants, row{does: name})
		shown = append(shown, row{state: name, does: strconv.Quote(s.Name.Value)})
		if s.Terminal() {
			terminal = append(terminal, row{state: name, does: "return true"})
		}
	}
	constants[0].does += " " + typ + " = iota + 1"
	m.same("the states", constants, m.constants[typ])
	room := map[string]int{"uint8": 1<<8 - 1, "uint16": 1<<16 - 1, "uint32": 1<<32 - 1}
	if kind := m.text(m.values[typ]); room[kind] < len(m.ir.States) {
		m.fail("the type of the states", "room for "+strconv.Itoa(len(m.ir.States)), kind)
	}
	m.same(names.StateNames(m.name), shown, m.fields(m.values[names.StateNames(m.name)]))

	last := row{does: "return s == 0"}
	if len(terminal) == 1 {
		last.does += " || s == " + terminal[0].state
		terminal = nil
	}
	m.same("Terminal", append(terminal, last), m.table(typ+".Terminal"))
}

// rowsOf returns the rows of a state as Next has them. In a state with guards those of each key are
// tried in the order in which the keys come first, then those for every key; behind a row without a
// guard none is tried.
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
