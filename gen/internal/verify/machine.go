package verify

import (
	"go/ast"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// machine compares one machine.
type machine struct {
	*reader
	ir *ir.Machine
	// name is what identifiers are made from.
	name string
	// states and keys are what the constants stand for, index is where a state is in the source.
	states map[string]*ir.State
	keys   map[string]string
	index  map[*ir.State]int
}

// machine compares the machine of an fsm, or one that others drive.
func (r *reader) machine(n *ir.Machine) {
	m := &machine{reader: r, ir: n, name: r.agent}
	m.table()
	if n.External {
		m.absent("App." + names.Run(m.name))

		return
	}
	m.run()
}

// gate compares the gate of a react agent.
func (r *reader) gate(n *ir.Machine) {
	m := &machine{reader: r, ir: n, name: r.agent}
	m.table()
	var initial []string
	ast.Inspect(&ast.BlockStmt{List: m.function("App." + names.Run(m.name))}, func(node ast.Node) bool {
		if literal, isLiteral := node.(*ast.CompositeLit); isLiteral && member(literal, "Initial") != nil {
			initial = append(initial, ident(member(literal, "Initial")))
		}
		return true
	})
	m.same("the initial state", []string{names.State(m.name, n.Initial.State.Name.Value)}, initial)
}

// table compares the types, constants and pure functions.
func (m *machine) table() {
	m.stateConstants()
	m.keyConstants()
	m.next()
	m.canonicalKey()
	m.keyLists()
	m.terminal()
	m.stateTexts()
}

func (m *machine) stateType() string { return names.StateType(m.name) }

func (m *machine) method(name string) string { return m.stateType() + "." + name }

// stateConstants compares the constants of the states, and that their type has room for them.
func (m *machine) stateConstants() {
	m.states, m.index = map[string]*ir.State{}, map[*ir.State]int{}
	var want, got []string
	for i, s := range m.ir.States {
		name := names.State(m.name, s.Name.Value)
		want = append(want, name)
		m.states[name] = s
		m.index[s] = i
	}
	for _, group := range m.groups {
		first := group.Specs[0].(*ast.ValueSpec)
		if ident(first.Type) != m.stateType() {
			continue
		}
		m.equal("the value of the first state", "iota + 1", m.text(first.Values[0]))
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
			if value := spec.(*ast.ValueSpec); ident(value.Type) == names.KeyType(m.name) {
				got = append(got, value.Names[0].Name+" = "+constant(value.Values[0]))
			}
		}
	}
	m.same("the keys", want, got)
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

// terminal compares in which states Terminal is true: in 0 and the one that it compares with, or in those of its switch.
func (m *machine) terminal() {
	var want, got []string
	for _, s := range m.ir.States {
		if s.Terminal() {
			want = append(want, names.State(m.name, s.Name.Value))
		}
	}
	body := m.function(m.method("Terminal"))
	if m.err != nil {
		return
	}

	rest := "s == 0"
	if len(want) == 1 {
		rest += " || s == " + want[0]
	} else {
		got = m.casesOf("Terminal", body[:len(body)-1])
		m.same("Terminal", want, got)
	}
	if results := m.results("Terminal", 1, body[len(body)-1]); m.err == nil {
		m.equal("Terminal, the end", rest, m.text(results[0]))
	}
}

// casesOf returns the names in the cases of a switch over s, each of which returns true; none without a switch.
func (m *machine) casesOf(where string, body []ast.Stmt) []string {
	var list []string
	for _, stmt := range body {
		for _, c := range m.clauses(where, "s", stmt) {
			for _, e := range c.List {
				list = append(list, ident(e))
			}
			if results := m.results(where, 1, c.Body...); m.err == nil {
				m.equal(where, "true", m.text(results[0]))
			}
		}
	}

	return list
}

// stateTexts compares the names that String returns.
func (m *machine) stateTexts() {
	list, _ := m.values[names.StateNames(m.name)].(*ast.CompositeLit)
	if list == nil {
		m.fail(names.StateNames(m.name), "the names of the states", "none")
		return
	}
	var want, got []string
	for _, s := range m.ir.States {
		want = append(want, names.State(m.name, s.Name.Value)+" is "+s.Name.Value)
	}
	for _, e := range list.Elts {
		if pair, isPair := e.(*ast.KeyValueExpr); isPair {
			got = append(got, ident(pair.Key)+" is "+constant(pair.Value))
		}
	}
	m.same(names.StateNames(m.name), want, got)
}
