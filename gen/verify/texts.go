package verify

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
	"github.com/agentc-dev/agentc/gen/names"
)

// canonicalKey compares CanonicalKey, and the rows that it finds.
func (m *machine) canonicalKey() {
	if m.err != nil {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func (s %s) CanonicalKey(answer string) (%s, runtime.Match) {", m.stateType(), m.keyType())
	if len(m.keys) > 0 {
		fmt.Fprintf(&b, `if key, ok := s.rowKey(%[1]s(answer)); ok && string(key) == answer {
			return key, runtime.MatchExact
		}
		if key, ok := s.rowKey(%[1]s(runtime.FoldKey(answer))); ok {
			return key, runtime.MatchFolded
		}
`, m.keyType())
	}
	catchAll, always := m.leadsOn()
	if len(catchAll)+len(always) > 0 {
		b.WriteString("switch s {\n")
		for _, list := range []struct {
			states []string
			match  string
		}{{catchAll, "MatchCatchAll"}, {always, "MatchUnconditional"}} {
			if len(list.states) > 0 {
				fmt.Fprintf(&b, "case %s: return %s(answer), runtime.%s\n", strings.Join(list.states, ", "), m.keyType(), list.match)
			}
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "return %s(answer), runtime.MatchNone\n}", m.keyType())
	m.writtenFunc(m.method("CanonicalKey"), b.String())

	if len(m.keys) > 0 {
		m.foundRows()
	}
}

// leadsOn returns the states with a catch-all, and the unconditional ones.
func (m *machine) leadsOn() (catchAll, always []string) {
	for _, s := range m.ir.States {
		name := names.State(m.agent, s.Name.Value)
		if s.Always != nil {
			always = append(always, name)
		}
		for _, r := range s.Rows {
			if r.IsCatchAll() {
				catchAll = append(catchAll, name)
			}
		}
	}

	return catchAll, always
}

// foundRows compares the keys that rowKey finds in each state, and the folded texts by which it finds them.
func (m *machine) foundRows() {
	if body := m.function(m.method("rowKey")); len(body) > 0 && m.text(body[len(body)-1]) == "return key, ok" {
		m.writtenFunc(m.method("rowKey"), m.rowKeyByNext())

		return
	}

	got := map[*ir.State][]string{}
	m.cases("rowKey", "key", `return "", false`, func(c *ast.CaseClause, within []*ir.State) {
		if len(c.Body) != 1 {
			m.fail("rowKey", "one statement in a case", strconv.Itoa(len(c.Body)))
			return
		}
		m.give("rowKey", got, c, within, m.foundTexts(c.Body[0]))
	})
	for _, s := range m.ir.States {
		want, found := keys.RowKeys(s), slices.Clone(got[s]) // states with the same keys in another order share a case
		slices.Sort(want)
		slices.Sort(found)
		m.same(fmt.Sprintf("rowKey, state %q", s.Name.Value), want, found)
	}
}

// rowKeyByNext is how rowKey is written if it asks Next: before it does, come the states in which Next takes a key that no row
// names, and those with a row whose key is not folded, which Next does not find by what is.
func (m *machine) rowKeyByNext() string {
	var blind, lists []string
	states := map[string][]string{}
	for _, s := range m.ir.States {
		name, list := names.State(m.agent, s.Name.Value), m.rowList(s)
		texts := keys.RowKeys(s)
		switch {
		case s.Terminal():
		case len(texts) == 0:
			blind = append(blind, name)
		case len(s.Rows) > len(texts) || strings.Contains(list, "; case"):
			if states[list] == nil {
				lists = append(lists, list)
			}
			states[list] = append(states[list], name)
		}
	}

	var b strings.Builder
	fmt.Fprintf(&b, "func (s %s) rowKey(key %[2]s) (row %[2]s, ok bool) {\n", m.stateType(), m.keyType())
	if len(blind)+len(lists) > 0 {
		b.WriteString("switch s {\n")
		if len(blind) > 0 {
			fmt.Fprintf(&b, "case %s: return \"\", false\n", strings.Join(blind, ", "))
		}
		for _, list := range lists {
			fmt.Fprintf(&b, "case %s: switch key { %s }; return \"\", false\n", strings.Join(states[list], ", "), list)
		}
		b.WriteString("}\n")
	}
	b.WriteString("_, ok = s.Next(key)\nreturn key, ok\n}")

	return b.String()
}

// rowList is how the rows of a state with keys are listed in rowKey.
func (m *machine) rowList(s *ir.State) string {
	var constants []string
	folded := ""
	for _, key := range keys.RowKeys(s) {
		constants = append(constants, names.Key(m.agent, key))
		if fold := keys.Fold(key); fold != key {
			folded += fmt.Sprintf("; case %q: return %s, true", fold, names.Key(m.agent, key))
		}
	}

	return "case " + strings.Join(constants, ", ") + ": return key, true" + folded
}

// foundTexts reads the switch over the key of one case of rowKey: the keys that stand for themselves, then each folded text
// that stands for a key.
func (m *machine) foundTexts(stmt ast.Stmt) []string {
	clauses := m.clauses("rowKey", "key", stmt)
	if m.err != nil {
		return nil
	}
	if len(clauses) == 0 {
		m.fail("rowKey", "a case with the keys", "none")
		return nil
	}

	var texts []string
	for _, e := range clauses[0].List {
		texts = append(texts, m.key("rowKey", e))
	}
	for i, c := range clauses {
		results := m.results("rowKey", 2, c.Body...)
		if m.err != nil {
			return nil
		}
		m.written("rowKey", "true", results[1])
		if i == 0 {
			m.written("rowKey", "key", results[0])
		}
	}

	var want, got []string
	for _, text := range texts {
		if folded := keys.Fold(text); folded != text {
			want = append(want, folded+" is "+text)
		}
	}
	for _, c := range clauses[1:] {
		if len(c.List) != 1 {
			m.fail("rowKey", "one folded text in a case", m.text(c))
			return nil
		}
		folded, _ := constant(c.List[0])
		got = append(got, folded+" is "+m.key("rowKey", c.Body[0].(*ast.ReturnStmt).Results[0]))
	}
	m.same("rowKey, the folded keys", want, got)

	return texts
}

// stateTexts compares String, Parse, MarshalText and UnmarshalText of the states.
func (m *machine) stateTexts() {
	got := map[*ir.State][]string{}
	m.cases("String", "", `return ""`, func(c *ast.CaseClause, within []*ir.State) {
		results := m.results("String", 1, c.Body...)
		if m.err != nil {
			return
		}
		text, _ := constant(results[0])
		m.give("String", got, c, within, []string{text})
	})
	for _, s := range m.ir.States {
		m.same(fmt.Sprintf("String, state %q", s.Name.Value), []string{s.Name.Value}, got[s])
	}

	m.parseState()
	m.writtenFunc(m.method("MarshalText"), "func (s "+m.stateType()+`) MarshalText() ([]byte, error) {
		return []byte(s.String()), nil
	}`)
	m.writtenFunc(m.method("UnmarshalText"), "func (s *"+m.stateType()+`) UnmarshalText(text []byte) (err error) {
		if len(text) == 0 {
			*s = 0
			return nil
		}
		*s, err = `+names.ParseState(m.agent)+`(string(text))
		return err
	}`)
}

// parseState compares the function that finds a state by its name, whole or in pieces.
func (m *machine) parseState() {
	name := names.ParseState(m.agent)
	body := m.function(name)
	if m.err != nil {
		return
	}
	m.written(name+", the end", "return 0, "+m.unknown("state"), body[len(body)-1])
	if m.err != nil {
		return
	}

	var got []string
	if _, isSwitch := body[0].(*ast.SwitchStmt); isSwitch && len(body) == 2 {
		got = m.parsed(name, body[0], 2)
	} else {
		for _, stmt := range body[:len(body)-1] {
			got = append(got, m.parsedPiece(name, stmt, len(got))...)
		}
	}

	var want []string
	for _, s := range m.ir.States {
		want = append(want, s.Name.Value+" is "+s.Name.Value)
	}
	m.same(name, want, got)
}

// parsed reads the cases of a switch over a state's name that return n values.
func (m *machine) parsed(name string, stmt ast.Stmt, n int) []string {
	var got []string
	for _, c := range m.clauses(name, "text", stmt) {
		results := m.results(name, n, c.Body...)
		if m.err != nil {
			return nil
		}
		if len(c.List) != 1 {
			m.fail(name, "one name in a case", m.text(c))
			return nil
		}
		if n == 2 {
			m.written(name, "nil", results[1])
		}
		text, _ := constant(c.List[0])
		if s := m.state(name, results[0]); s != nil {
			got = append(got, text+" is "+s.Name.Value)
		}
	}

	return got
}

// parsedPiece reads a call of a piece, which begins with the state that comes after the first done ones, and the piece.
func (m *machine) parsedPiece(name string, call ast.Stmt, done int) []string {
	if m.err != nil || done >= len(m.ir.States) {
		m.fail(name, "no more pieces", "one")
		return nil
	}
	function := names.Range("parse"+m.stateType(), m.ir.States[done].Name.Value)
	m.written(name, "if s := "+function+"(text); s != 0 { return s, nil }", call)
	body := m.function(function)
	if m.err != nil {
		return nil
	}
	if len(body) != 2 {
		m.fail(function, "a switch and a return", strconv.Itoa(len(body))+" statements")
		return nil
	}
	m.written(function+", the end", "return 0", body[1])

	return m.parsed(function, body[0], 1)
}

func (m *machine) unknown(kind string) string {
	return "&runtime.UnknownNameError{Machine: " + strconv.Quote(m.agent) + `, Kind: "` + kind + `", Name: text}`
}

// keyTexts compares String, Parse, MarshalText and UnmarshalText of the keys.
func (m *machine) keyTexts() {
	if m.err != nil {
		return
	}
	typ, parse := m.keyType(), names.ParseKey(m.agent)
	m.writtenFunc(typ+".String", "func (k "+typ+") String() string { return string(k) }")
	m.writtenFunc(typ+".MarshalText", "func (k "+typ+") MarshalText() ([]byte, error) { return []byte(k), nil }")
	if len(m.keys) == 0 {
		m.absent(parse)
		m.writtenFunc(typ+".UnmarshalText", "func (k *"+typ+") UnmarshalText(text []byte) error { *k = "+typ+"(text); return nil }")
		return
	}
	m.writtenFunc(typ+".UnmarshalText", "func (k *"+typ+`) UnmarshalText(text []byte) (err error) {
		*k, err = `+parse+`(string(text))
		return err
	}`)

	var constants []string
	for _, key := range names.Keys(m.ir) {
		constants = append(constants, names.Key(m.agent, key.Value))
	}
	m.writtenFunc(parse, "func "+parse+"(text string) ("+typ+`, error) {
		switch key := `+typ+`(text); key {
		case `+strings.Join(constants, ", ")+`:
			return key, nil
		}
		return "", `+m.unknown("key")+`
	}`)
}
