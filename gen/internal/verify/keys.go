package verify

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// canonicalKey compares which states CanonicalKey leaves by every key, and the rows that it finds.
func (m *machine) canonicalKey() {
	body := m.function(m.method("CanonicalKey"))
	got := map[string][]string{}
	clauses, _ := switches("s", body)
	for _, c := range clauses {
		if results := m.results("CanonicalKey", 2, c.Body...); m.err == nil {
			match := m.text(results[1])
			for _, e := range c.List {
				got[match] = append(got[match], ident(e))
			}
		}
	}
	want := map[string][]string{}
	for _, s := range m.ir.States {
		match := "runtime.MatchCatchAll"
		if s.Always != nil {
			match = "runtime.MatchUnconditional"
		}
		if s.Always != nil || slices.ContainsFunc(s.Rows, (*ir.Row).IsCatchAll) {
			want[match] = append(want[match], names.State(m.name, s.Name.Value))
		}
	}
	for _, match := range []string{"runtime.MatchCatchAll", "runtime.MatchUnconditional"} {
		m.same("CanonicalKey, "+match, want[match], got[match])
	}
	if len(m.keys) > 0 {
		m.foundRows()
	}
}

// foundRows compares the keys that rowKey finds in each state, and the folded texts by which it finds them.
func (m *machine) foundRows() {
	if body := m.function(m.method("rowKey")); len(body) > 0 && m.text(body[len(body)-1]) == "return key, ok" {
		return // it asks Next
	}

	got := map[*ir.State][]string{}
	m.cases("rowKey", func(c *ast.CaseClause, within []*ir.State) {
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

// foundTexts reads the switch over the key of one case of rowKey: the keys that stand for themselves, then each folded text
// that stands for a key.
func (m *machine) foundTexts(stmt ast.Stmt) []string {
	var texts, want, got []string
	for i, c := range m.clauses("rowKey", "key", stmt) {
		results := m.results("rowKey", 2, c.Body...)
		if m.err != nil {
			return nil
		}
		m.equal("rowKey", "true", m.text(results[1]))
		if i > 0 {
			got = append(got, constant(c.List[0])+" is "+m.key("rowKey", results[0]))
			continue
		}
		m.equal("rowKey", "key", m.text(results[0]))
		for _, e := range c.List {
			texts = append(texts, m.key("rowKey", e))
		}
	}
	for _, text := range texts {
		if folded := ir.FoldKey(text); folded != text {
			want = append(want, folded+" is "+text)
		}
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
	m.cases("Keys", func(c *ast.CaseClause, within []*ir.State) {
		results := m.results("Keys", 1, c.Body...)
		if m.err != nil {
			return
		}
		list, isList := results[0].(*ast.CompositeLit)
		if !isList {
			m.fail("Keys", "a list", m.text(results[0]))
			return
		}
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
