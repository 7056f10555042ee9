package verify

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
	"github.com/agentc-dev/agentc/gen/names"
)

// machine compares one machine.
type machine struct {
	*reader
	ir *ir.Machine
	// states and keys are what the constants stand for.
	states map[string]*ir.State
	keys   map[string]string
	// index is the place of a state among the states.
	index map[*ir.State]int
}

func (m *machine) all() {
	m.stateConstants()
	m.keyConstants()
	m.next()
	m.canonicalKey()
	m.keyLists()
	m.predicate("Terminal", (*ir.State).Terminal)
	m.stateTexts()
	m.keyTexts()
	if m.ir.External {
		m.absent(m.stateType() + ".Runs")
		m.absent("App." + names.Run(m.agent))
		m.absent("App." + names.RunAt(m.agent))

		return
	}
	m.predicate("Runs", func(s *ir.State) bool { return s.Agent != nil })
	m.entry()
	m.run()
}

func (m *machine) stateType() string { return names.StateType(m.agent) }

func (m *machine) keyType() string { return names.KeyType(m.agent) }

func (m *machine) method(name string) string { return m.stateType() + "." + name }

// stateConstants compares the constants of the states, and that their type has room for them.
func (m *machine) stateConstants() {
	m.states, m.index = map[string]*ir.State{}, map[*ir.State]int{}
	var want []string
	for i, s := range m.ir.States {
		name := names.State(m.agent, s.Name.Value)
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
		name := names.Key(m.agent, key.Value)
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

// cases calls read for every case of a method that is a switch over the states: for the whole method, or for each of its
// pieces, which have to hold the cases of their own states. rest is what the method returns without a case.
func (m *machine) cases(name, params, rest string, read func(c *ast.CaseClause, within []*ir.State)) {
	body := m.function(m.method(name))
	if m.err != nil {
		return
	}
	if len(body) != 2 {
		m.fail(name, "a switch and a return", strconv.Itoa(len(body))+" statements")
		return
	}
	if sw, isSwitch := body[0].(*ast.SwitchStmt); isSwitch && sw.Tag == nil {
		m.pieces(name, params, rest, body, read)
		return
	}
	m.piece(name, rest, body, m.ir.States, read)
}

func (m *machine) piece(name, rest string, body []ast.Stmt, within []*ir.State, read func(*ast.CaseClause, []*ir.State)) {
	last := -1
	for _, c := range m.clauses(name, "s", body[0]) {
		if c.List == nil {
			m.fail(name, "no default", "one")
			return
		}
		first := m.state(name, c.List[0])
		if m.err == nil && m.index[first] <= last {
			m.fail(name, "the cases in the order of their first states", first.Name.Value)
		}
		if m.err != nil {
			return
		}
		last = m.index[first]
		read(c, within)
	}
	m.written(name+", the end", rest, body[1])
}

// pieces reads a method that was cut: a switch that finds the piece by the last state of each, and the last piece.
func (m *machine) pieces(name, params, rest string, body []ast.Stmt, read func(*ast.CaseClause, []*ir.State)) {
	from := 0
	for _, c := range m.clauses(name, "", body[0]) {
		last := m.bound(name, c)
		if last == nil {
			return
		}
		to := m.index[last] + 1
		if to <= from {
			m.fail(name, "pieces in order", m.text(c))
			return
		}
		m.onePiece(name, params, rest, c.Body, m.ir.States[from:to], read)
		from = to
	}
	if m.err == nil && from >= len(m.ir.States) {
		m.fail(name, "a last piece", "none left")
	}
	if m.err == nil {
		m.onePiece(name, params, rest, body[1:], m.ir.States[from:], read)
	}
}

// bound returns the state in a case `s <= State`.
func (m *machine) bound(name string, c *ast.CaseClause) *ir.State {
	if m.err != nil {
		return nil
	}
	if len(c.List) == 1 {
		if e, isBinary := c.List[0].(*ast.BinaryExpr); isBinary && e.Op == token.LEQ && ident(e.X) == "s" {
			return m.state(name, e.Y)
		}
	}
	m.fail(name, "s <= a state", m.text(c))

	return nil
}

func (m *machine) onePiece(name, params, rest string, call []ast.Stmt, within []*ir.State, read func(*ast.CaseClause, []*ir.State)) {
	function := names.Range(strings.ToLower(name[:1])+name[1:], within[0].Name.Value)
	where := fmt.Sprintf("%s, the piece from %q", name, within[0].Name.Value)
	results := m.results(where, 1, call...)
	if m.err != nil {
		return
	}
	m.written(where, "s."+function+"("+params+")", results[0])
	body := m.function(m.method(function))
	if m.err == nil && len(body) != 2 {
		m.fail(function, "a switch and a return", strconv.Itoa(len(body))+" statements")
	}
	if m.err == nil {
		m.piece(function, rest, body, within, read)
	}
}

// listed returns the states of a case in which every state has to stand in within and the order to be that of the source.
func (m *machine) listed(where string, c *ast.CaseClause, within []*ir.State) []*ir.State {
	var states []*ir.State
	last := -1
	for _, e := range c.List {
		s := m.state(where, e)
		if s == nil {
			return nil
		}
		i := m.index[s]
		if i < m.index[within[0]] || i >= m.index[within[0]]+len(within) || i <= last {
			m.fail(where, "the states of this piece in order", s.Name.Value)
			return nil
		}
		last = i
		states = append(states, s)
	}

	return states
}

// row is a row of a table: where a key leads. The key of what leads on for every other key is "*".
type row struct{ key, to string }

const (
	anyKey = "*"
	theEnd = "~"
)

// next compares the transitions.
func (m *machine) next() {
	got := map[*ir.State][]row{}
	m.cases("Next", "key", "return 0, false", func(c *ast.CaseClause, within []*ir.State) {
		states := m.listed("Next", c, within)
		if m.err == nil && len(states) != 1 {
			m.fail("Next", "one case for each state", m.text(c))
		}
		if m.err != nil {
			return
		}
		got[states[0]] = m.rows(states[0], c.Body)
	})

	for _, s := range m.ir.States {
		m.sameRows(s, tableOf(s), got[s])
	}
}

// tableOf returns the rows of a state as the program has them.
func tableOf(s *ir.State) []row {
	if s.Always != nil {
		return []row{{anyKey, s.Always.State.Name.Value}}
	}
	var rows []row
	for _, r := range s.Rows {
		to := theEnd
		if !r.End {
			to = r.To.State.Name.Value
		}
		rows = append(rows, row{r.Key.Value, to})
	}

	return rows
}

// rows reads the case of a state: a return, or a switch over the key.
func (m *machine) rows(s *ir.State, body []ast.Stmt) []row {
	where := fmt.Sprintf("Next, state %q", s.Name.Value)
	if len(body) == 1 {
		if _, isReturn := body[0].(*ast.ReturnStmt); isReturn {
			return []row{{anyKey, m.target(where, body)}}
		}
	}
	if len(body) != 1 {
		m.fail(where, "one statement", strconv.Itoa(len(body)))
		return nil
	}

	var rows []row
	for _, c := range m.clauses(where, "key", body[0]) {
		key := anyKey
		if c.List != nil {
			key = m.key(where, c.List[0])
		}
		if len(c.List) > 1 {
			m.fail(where, "one key in a case", m.text(c))
		}
		rows = append(rows, row{key, m.target(fmt.Sprintf("%s, key %q", where, key), c.Body)})
	}

	return rows
}

// target reads `return State, true`, or `return 0, true`, which ends the machine.
func (m *machine) target(where string, body []ast.Stmt) string {
	results := m.results(where, 2, body...)
	if m.err != nil {
		return ""
	}
	if ident(results[1]) != "true" {
		m.fail(where, "true", m.text(results[1]))
	}
	if number(results[0]) == "0" {
		return theEnd
	}
	if s := m.state(where, results[0]); s != nil {
		return s.Name.Value
	}

	return ""
}

func (m *machine) sameRows(s *ir.State, want, got []row) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			m.fail(fmt.Sprintf("Next, state %q, key %q", s.Name.Value, want[i].key), "a case to "+want[i].to, "none")
		case i >= len(want):
			m.fail(fmt.Sprintf("Next, state %q, key %q", s.Name.Value, got[i].key), "no case", "one to "+got[i].to)
		case want[i] != got[i]:
			m.fail(fmt.Sprintf("Next, state %q, row %d", s.Name.Value, i+1),
				want[i].key+" to "+want[i].to, got[i].key+" to "+got[i].to)
		}
	}
}

// predicate compares a method that is true for some states.
func (m *machine) predicate(name string, holds func(*ir.State) bool) {
	var want []string
	for _, s := range m.ir.States {
		if holds(s) {
			want = append(want, names.State(m.agent, s.Name.Value))
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

// keyLists compares Keys.
func (m *machine) keyLists() {
	if len(m.keys) == 0 {
		m.absent(m.method("Keys"))
		return
	}

	got := map[*ir.State][]string{}
	m.cases("Keys", "", "return nil", func(c *ast.CaseClause, within []*ir.State) {
		results := m.results("Keys", 1, c.Body...)
		if m.err != nil {
			return
		}
		list, isList := results[0].(*ast.CompositeLit)
		if !isList {
			m.fail("Keys", "a list", m.text(results[0]))
			return
		}
		m.written("Keys", "[]"+m.keyType(), list.Type)
		var texts []string
		for _, e := range list.Elts {
			texts = append(texts, m.key("Keys", e))
		}
		m.give("Keys", got, c, within, texts)
	})
	for _, s := range m.ir.States {
		m.same(fmt.Sprintf("Keys, state %q", s.Name.Value), keys.RowKeys(s), got[s])
	}
}

// give records a list for each state of a case.
func (m *machine) give(where string, got map[*ir.State][]string, c *ast.CaseClause, within []*ir.State, texts []string) {
	for _, s := range m.listed(where, c, within) {
		if got[s] != nil {
			m.fail(where, "each state once", s.Name.Value)
		}
		got[s] = texts
	}
}
