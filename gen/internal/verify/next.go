package verify

import (
	"fmt"
	"go/ast"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// row is a row of a table: where a key leads, and its guard as the source has it, "" without one. The key of what leads on for
// every other key is "*". In a state with guards, ok says how a row without one is taken.
type row struct{ key, to, guard, ok string }

const (
	anyKey = "*"
	theEnd = "~"
)

// next compares the transitions.
func (m *machine) next() {
	got := map[*ir.State][]row{}
	m.cases("Next", func(c *ast.CaseClause, within []*ir.State) {
		states := m.listed("Next", c, within)
		if m.err == nil && len(states) != 1 {
			m.fail("Next", "one case for each state", m.text(c))
		}
		if m.err != nil {
			return
		}
		if isGuarded(states[0]) {
			got[states[0]] = m.guardedRows(states[0], c.Body)
		} else {
			got[states[0]] = m.rows(states[0], c.Body)
		}
	})

	for _, s := range m.ir.States {
		if isGuarded(s) {
			m.sameRows(s, tried(s), got[s])
		} else {
			m.sameRows(s, tableOf(s), got[s])
		}
	}
}

// tableOf returns the rows of a state as the program has them.
func tableOf(s *ir.State) []row {
	if s.Always != nil {
		return []row{{key: anyKey, to: s.Always.State.Name.Value}}
	}
	var rows []row
	for _, r := range s.Rows {
		rows = append(rows, row{key: r.Key.Value, to: targetOf(r)})
	}

	return rows
}

// targetOf is where a row leads.
func targetOf(r *ir.Row) string {
	if r.End {
		return theEnd
	}

	return r.To.State.Name.Value
}

// rows reads the case of a state: a return, or a switch over the key.
func (m *machine) rows(s *ir.State, body []ast.Stmt) []row {
	where := fmt.Sprintf("Next, state %q", s.Name.Value)
	if len(body) == 1 {
		if _, isReturn := body[0].(*ast.ReturnStmt); isReturn {
			return []row{{key: anyKey, to: m.target(where, body)}}
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
		rows = append(rows, row{key: key, to: m.target(fmt.Sprintf("%s, key %q", where, key), c.Body)})
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

	return m.targetText(where, results[0])
}

// targetText reads where a row leads.
func (m *machine) targetText(where string, e ast.Expr) string {
	if number(e) == "0" {
		return theEnd
	}
	if s := m.state(where, e); s != nil {
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
			m.fail(fmt.Sprintf("Next, state %q, row %d", s.Name.Value, i+1), fmt.Sprintf("%q", want[i]), fmt.Sprintf("%q", got[i]))
		}
	}
}
