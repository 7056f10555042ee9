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
	// name is the base of identifiers.
	name string
}

// compareMachine compares the machine of an fsm, or a machine that other code drives.
func (r *reader) compareMachine(n *ir.Machine) {
	m := &machine{reader: r, ir: n, name: r.agent}
	m.compareTables()
	if n.External {
		m.requireAbsent(m.fixed.App + "." + names.Run(m.name))

		return
	}
	m.compareRun(m.fixed.App + "." + names.Run(m.name))
}

// compareGate compares the gate of a react agent.
func (r *reader) compareGate(n *ir.Machine) {
	m := &machine{reader: r, ir: n, name: r.agent}
	m.compareTables()
	fields := m.readFields(&ast.BlockStmt{List: m.functionBody(m.fixed.App + "." + names.Run(m.name))})
	initial := ir.Where(fields, func(field row) bool { return field.state == "Initial" })
	m.compareRows("the initial state", []row{{state: "Initial", does: m.stateConstant(n.Initial.State)}}, initial)
}

// compareTables compares the types, constants and pure functions.
func (m *machine) compareTables() {
	m.compareStates()
	typ := names.StateType(m.name)
	var next, lists, rest []row
	for _, s := range m.ir.States {
		state := m.stateConstant(s)
		next = append(next, m.expectedRows(s)...)
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

	m.compareRows("Next", append(next, row{does: "return 0, false"}), m.readTable(typ+".Next"))
	m.compareRows(names.KeyLists(m.name), lists, m.readFields(m.values[names.KeyLists(m.name)]))
	matches := m.sortRows(m.readRows(row{}, m.functionBody(typ+".CanonicalKey")))
	m.compareRows("CanonicalKey", rest, ir.Where(matches, func(one row) bool { return one.state != "" }))
}

// stateConstant returns the constant of a state.
func (m *machine) stateConstant(s *ir.State) string { return names.State(m.name, s.Name.Value) }

// compareStates compares the constants and names of the states, the size of their type, and the
// terminals.
func (m *machine) compareStates() {
	typ := names.StateType(m.name)
	m.index = map[string]int{}
	var constants, shown, terminal []row
	for i, s := range m.ir.States {
		name := m.stateConstant(s)
		m.index[name] = i
		constants = append(constants, row{does: name})
		shown = append(shown, row{state: name, does: strconv.Quote(s.Name.Value)})
		if s.IsTerminal() {
			terminal = append(terminal, row{state: name, does: "return true"})
		}
	}
	constants[0].does += " " + typ + " = iota + 1"
	m.compareRows("the states", constants, m.constants[typ])
	room := map[string]int{"uint8": 1<<8 - 1, "uint16": 1<<16 - 1, "uint32": 1<<32 - 1}
	if kind := m.sourceText(m.values[typ]); room[kind] < len(m.ir.States) {
		m.recordMismatch("the type of the states", "room for "+strconv.Itoa(len(m.ir.States)), kind)
	}
	m.compareRows(names.StateNames(m.name), shown, m.readFields(m.values[names.StateNames(m.name)]))

	last := row{does: "return s == 0"}
	if len(terminal) == 1 {
		last.does += " || s == " + terminal[0].state
		terminal = nil
	}
	m.compareRows("Terminal", append(terminal, last), m.readTable(typ+".Terminal"))
}

// expectedRows returns the rows of a state in the order of Next. With guards, the rows of each key
// are tried in the order of the keys, then the catch-all rows; rows after one without a guard are
// omitted.
func (m *machine) expectedRows(s *ir.State) []row {
	if s.Always != nil {
		return []row{{state: m.stateConstant(s), does: "return " + m.stateConstant(s.Always.State) + ", true"}}
	}
	var rows, rest []row
	for _, tried := range s.RowsByKey() {
		to := &rows
		if s.HasGuards() && tried[0].IsCatchAll() {
			to = &rest
		}
		for i, r := range tried {
			ok := "true"
			switch {
			case r.When != nil || !s.HasGuards():
			case r.IsCatchAll():
				ok = "g.AllowsCatchAll()"
			case i > 0:
				ok = "g.AllowsElse()"
			}
			*to = append(*to, m.expectedRow(s, r, ok))
			if r.When == nil {
				break
			}
		}
	}

	return append(rows, rest...)
}

// expectedRow returns a row of Next; ok is its second result.
func (m *machine) expectedRow(s *ir.State, r *ir.Row, ok string) row {
	one := row{state: m.stateConstant(s)}
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
		to = m.stateConstant(r.To.State)
	}
	one.does = "return " + to + ", " + ok

	return one
}
