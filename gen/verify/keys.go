package verify

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
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
		name := names.State(m.name, s.Name.Value)
		if s.Always != nil {
			always = append(always, name)
		}
		if slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll) {
			catchAll = append(catchAll, name)
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
	rowKey := function{
		name: "rowKey", params: "key " + m.keyType(), results: "(row " + m.keyType() + ", ok bool)",
		args: "key", rest: `return "", false`,
	}
	m.cases(rowKey, func(c *ast.CaseClause, within []*ir.State) {
		if len(c.Body) != 1 {
			m.fail("rowKey", "one statement in a case", strconv.Itoa(len(c.Body)))
			return
		}
		m.give("rowKey", got, c, within, m.foundTexts(c.Body[0]))
	})
	for _, s := range m.ir.States {
		want, found := s.Keys(), slices.Clone(got[s]) // states with the same keys in another order share a case
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
		name, list := names.State(m.name, s.Name.Value), m.rowList(s)
		texts := s.Keys()
		switch {
		case s.Terminal():
		case len(texts) == 0:
			blind = append(blind, name)
		case len(s.Rows) > len(texts) || isGuarded(s) || strings.Contains(list, "; case"):
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
	args := "key"
	if m.asked.guards {
		args = "key, nil"
	}
	b.WriteString("_, ok = s.Next(" + args + ")\nreturn key, ok\n}")

	return b.String()
}

// rowList is how the rows of a state with keys are listed in rowKey.
func (m *machine) rowList(s *ir.State) string {
	var constants []string
	folded := ""
	for _, key := range s.Keys() {
		constants = append(constants, names.Key(m.name, key))
		if fold := ir.FoldKey(key); fold != key {
			folded += fmt.Sprintf("; case %q: return %s, true", fold, names.Key(m.name, key))
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
		if folded := ir.FoldKey(text); folded != text {
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

// keyLists compares Keys.
func (m *machine) keyLists() {
	if len(m.keys) == 0 {
		m.absent(m.method("Keys"))
		return
	}

	got := map[*ir.State][]string{}
	method := function{name: "Keys", results: "[]" + m.keyType(), rest: "return nil"}
	m.cases(method, func(c *ast.CaseClause, within []*ir.State) {
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
		m.same(fmt.Sprintf("Keys, state %q", s.Name.Value), s.Keys(), got[s])
	}
}
