package verify

import (
	"fmt"
	"go/ast"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// How the row without a guard is returned in a state that has guards: after others of its key, and for every key.
const (
	elseOf     = "g.Else()"
	catchAllOf = "g.CatchAll()"
)

// isGuarded reports whether a row of a state has a guard.
func isGuarded(s *ir.State) bool {
	for _, row := range s.Rows {
		if row.When != nil {
			return true
		}
	}

	return false
}

// tried returns the rows of a state with guards in the order in which they are tried: those of each key, in the order in which
// the keys come first, then those for every key. Behind a row without a guard none is tried.
func tried(s *ir.State) []row {
	var rows, rest []row
	known := map[string]bool{}
	for _, first := range s.Rows {
		key := first.Key.Value
		if known[key] {
			continue
		}
		known[key] = true
		for i, r := range s.Try(key) {
			one := row{key: key, to: targetOf(r), ok: "true"}
			switch {
			case r.When != nil:
				one.guard = guardOf(r.When)
			case key == anyKey:
				one.ok = catchAllOf
			case i > 0:
				one.ok = elseOf
			}
			if key == anyKey {
				rest = append(rest, one)
			} else {
				rows = append(rows, one)
			}
			if r.When == nil {
				break
			}
		}
	}

	return append(rows, rest...)
}

// guardOf is a guard as the source has it.
func guardOf(guard *ir.Guard) string {
	switch {
	case guard.Func == nil:
		return guard.Text.Value
	case guard.Not:
		return "not " + guard.Func.Name.Value
	}

	return guard.Func.Name.Value
}

// guardedRows reads the case of a state with guards: a switch over the key, and the rows for every key behind it.
func (m *machine) guardedRows(s *ir.State, body []ast.Stmt) []row {
	where := fmt.Sprintf("Next, state %q", s.Name.Value)
	var rows []row
	if len(body) > 0 {
		if _, isSwitch := body[0].(*ast.SwitchStmt); isSwitch {
			for _, c := range m.clauses(where, "key", body[0]) {
				if len(c.List) != 1 {
					m.fail(where, "one key in a case", m.text(c))
					return nil
				}
				rows = append(rows, m.tries(where, m.key(where, c.List[0]), c.Body)...)
			}
			body = body[1:]
		}
	}

	return append(rows, m.tries(where, anyKey, body)...)
}

// tries reads rows of a key.
func (m *machine) tries(where, key string, body []ast.Stmt) []row {
	var rows []row
	for i, stmt := range body {
		one := row{key: key}
		here := fmt.Sprintf("%s, key %q, row %d", where, key, i+1)
		if guarded, isIf := stmt.(*ast.IfStmt); isIf && guarded.Init == nil && guarded.Else == nil && len(guarded.Body.List) == 1 {
			one.guard = m.asked(here, guarded.Cond)
			stmt = guarded.Body.List[0]
		}
		if results := m.results(here, 2, stmt); m.err == nil {
			one.to, one.ok = m.targetText(here, results[0]), m.text(results[1])
		}
		rows = append(rows, one)
	}

	return rows
}

// asked reads which guard a condition asks.
func (m *machine) asked(where string, condition ast.Expr) string {
	call, isCall := condition.(*ast.CallExpr)
	if !isCall {
		m.fail(where, "a guard", m.text(condition))
		return ""
	}
	switch name := called(call); {
	case name == "Ask" && len(call.Args) == 1:
		return constant(call.Args[0])
	case name == "AskNot" && len(call.Args) == 1:
		return "not " + constant(call.Args[0])
	case (name == "Holds" || name == "Decides") && len(call.Args) > 2:
		return constant(call.Args[1])
	}
	m.fail(where, "a guard", m.text(condition))

	return ""
}
