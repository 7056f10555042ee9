package verify

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// machine compares one machine.
type machine struct {
	*reader
	of *ir.Agent
	ir *ir.Machine
	// name is what identifiers are made from, title what the machine is called.
	name, title string
	// states and keys are what the constants stand for.
	states map[string]*ir.State
	keys   map[string]string
	// asked is what its guards read.
	asked asked
	// index is the place of a state among the states.
	index map[*ir.State]int
}

func (m *machine) all() {
	m.table()
	if m.ir.External {
		m.absent(m.stateType() + ".Runs")
		m.absent("App." + names.Run(m.name))
		m.absent("App." + names.RunAt(m.name))

		return
	}
	m.predicate("Runs", func(s *ir.State) bool { return s.Agent != nil })
	m.entry()
	m.run()
}

// table compares the types, constants and pure functions.
func (m *machine) table() {
	if m.asked = askedOf(m.ir); m.asked.guards {
		m.explicitly()
	}
	m.stateConstants()
	m.keyConstants()
	m.guards()
	m.next()
	m.canonicalKey()
	m.keyLists()
	m.predicate("Terminal", (*ir.State).Terminal)
	m.stateTexts()
	m.keyTexts()
}

func (m *machine) stateType() string { return names.StateType(m.name) }

func (m *machine) keyType() string { return names.KeyType(m.name) }

func (m *machine) method(name string) string { return m.stateType() + "." + name }

// stateConstants compares the constants of the states, and that their type has room for them.
func (m *machine) stateConstants() {
	m.states, m.index = map[string]*ir.State{}, map[*ir.State]int{}
	var want []string
	for i, s := range m.ir.States {
		name := names.State(m.name, s.Name.Value)
		want = append(want, name)
		m.states[name] = s
		m.index[s] = i
	}

	var got []string
	for _, group := range m.groups {
		first := group.Specs[0].(*ast.ValueSpec)
		if ident(first.Type) != m.stateType() {
			continue
		}
		m.written("the value of the first state", "iota + 1", first.Values[0])
		for i, spec := range group.Specs {
			value := spec.(*ast.ValueSpec)
			if i > 0 && (value.Type != nil || value.Values != nil) {
				m.fail("the value of "+value.Names[0].Name, "none of its own", "one")
			}
			for _, name := range value.Names {
				got = append(got, name.Name)
			}
		}
	}
	m.same("the states", want, got)

	room := map[string]int{"uint8": 1<<8 - 1, "uint16": 1<<16 - 1, "uint32": 1<<32 - 1}
	if typ := ident(m.types[m.stateType()]); room[typ] < len(m.ir.States) {
		m.fail("the type of the states", "room for "+strconv.Itoa(len(m.ir.States)), typ)
	}
}

// keyConstants compares the constants of the keys.
func (m *machine) keyConstants() {
	m.keys = map[string]string{}
	var want, got []string
	for _, key := range names.Keys(m.ir) {
		name := names.Key(m.name, key.Value)
		want = append(want, name+" = "+key.Value)
		m.keys[name] = key.Value
	}
	for _, group := range m.groups {
		for _, spec := range group.Specs {
			value := spec.(*ast.ValueSpec)
			if ident(value.Type) != m.keyType() {
				continue
			}
			text, isText := constant(value.Values[0])
			if !isText || len(value.Names) != 1 {
				m.fail("the keys", "texts", "something else")
				return
			}
			got = append(got, value.Names[0].Name+" = "+text)
		}
	}
	m.same("the keys", want, got)
	m.written("the type of the keys", "string", m.types[m.keyType()])
}

// state returns the state that a constant stands for; nil after a failure.
func (m *machine) state(where string, e ast.Expr) *ir.State {
	if m.err != nil {
		return nil
	}
	s := m.states[ident(e)]
	if s == nil {
		m.fail(where, "a state", m.text(e))
	}

	return s
}

// key returns the text that a key constant stands for.
func (m *machine) key(where string, e ast.Expr) string {
	if m.err != nil {
		return ""
	}
	text, known := m.keys[ident(e)]
	if !known {
		m.fail(where, "a key", m.text(e))
	}

	return text
}

// predicate compares a method that is true for some states.
func (m *machine) predicate(name string, holds func(*ir.State) bool) {
	var want []string
	for _, s := range m.ir.States {
		if holds(s) {
			want = append(want, names.State(m.name, s.Name.Value))
		}
	}

	text := ""
	switch len(want) {
	case 0:
		text = "return false"
	case 1:
		text = "return s == " + want[0]
	default:
		text = "switch s { case " + strings.Join(want, ", ") + ": return true }; return false"
	}
	m.writtenFunc(m.method(name), "func (s "+m.stateType()+") "+name+"() bool { "+text+" }")
}
