package verify

import (
	"fmt"
	"go/ast"
	"strconv"

	"github.com/agentc-dev/agentc/gen/ir"
)

// row is a row of a table: where a key leads. The key of what leads on for every other key is "*".
type row struct{ key, to string }

const (
	anyKey = "*"
	theEnd = "~"
)

// next compares the transitions.
func (m *machine) next() {
	got := map[*ir.State][]row{}
	next := function{
		name: "Next", params: "key " + m.keyType(), results: "(next " + m.stateType() + ", ok bool)",
		args: "key", rest: "return 0, false",
	}
	m.cases(next, func(c *ast.CaseClause, within []*ir.State) {
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
