package verify

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// canonicalKey compares which states CanonicalKey leaves by every key.
func (m *machine) canonicalKey() {
	got := map[string][]string{}
	clauses, _ := switches("s", m.function(m.method("CanonicalKey")))
	for _, c := range clauses {
		set, isAssign := c.Body[0].(*ast.AssignStmt)
		if !isAssign {
			m.fail("CanonicalKey", "rest", m.text(c))
			return
		}
		match := m.text(set.Rhs[0])
		for _, e := range c.List {
			got[match] = append(got[match], ident(e))
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
}

// keyLists compares the keys of the states.
func (m *machine) keyLists() {
	if len(m.keys) == 0 {
		m.absent(m.method("appendKeys"))
		return
	}

	got := map[*ir.State][]string{}
	m.cases("appendKeys", func(c *ast.CaseClause, within []*ir.State) {
		results := m.results("appendKeys", 1, c.Body...)
		if m.err != nil {
			return
		}
		list := callOf("append", results[0])
		if list == nil || len(list.Args) == 0 || ident(list.Args[0]) != "keys" {
			m.fail("appendKeys", "keys appended to keys", m.text(results[0]))
			return
		}
		var texts []string
		for _, e := range list.Args[1:] {
			texts = append(texts, m.key("appendKeys", e))
		}
		m.give("appendKeys", got, c, within, texts)
	})
	for _, s := range m.ir.States {
		m.same(fmt.Sprintf("appendKeys, state %q", s.Name.Value), s.Keys(), got[s])
	}
}
