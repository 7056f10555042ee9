package verify

import (
	"go/ast"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// way is a row of a machine of a workflow: the constant of the state that it begins in, anyState for all; and what it gives. How
// it is found says whether it has a guard.
type way struct{ from, to, match string }

const anyState = "*"

// events are the cases of the method that holds the rows.
var events = []struct {
	on   string
	name string
}{{ir.OnSuccess, "workflow.Success"}, {ir.OnFailure, "workflow.Failure"}, {ir.OnPause, "workflow.Pause"}}

// ways returns the rows on an event that a run can take: none behind one without a guard for the same states. Those that stand
// together, with none for all states between them, are ordered by state: the code has a switch for them.
func (m *stateMachine) ways(on string) []way {
	var list []way
	var order []*ir.State
	together, closed := map[*ir.State][]way{}, map[*ir.State]bool{}
	flush := func() {
		for _, s := range order {
			list = append(list, together[s]...)
		}
		order, together = nil, map[*ir.State][]way{}
	}
	for _, row := range m.do.Rows() {
		from := row.From.State
		if row.Key.Value != on || !row.FromAny() && closed[from] {
			continue
		}
		if row.FromAny() {
			flush()
			list = append(list, m.way(row))
			if row.When == nil {
				return list
			}
			continue
		}
		if together[from] == nil {
			order = append(order, from)
		}
		together[from] = append(together[from], m.way(row))
		closed[from] = row.When == nil
	}
	flush()

	return list
}

// way is a row as the program has it.
func (m *stateMachine) way(row *ir.Row) way {
	way := way{from: anyState, to: m.state(row.To.State), match: "runtime.MatchCatchAll"}
	if !row.FromAny() {
		way.from, way.match = m.state(row.From.State), "runtime.MatchExact"
	}
	if row.When != nil {
		way.match = "runtime.MatchGuard"
	}

	return way
}

// read reads the rows on one event: of all states, or in a switch over the state.
func (m *stateMachine) read(where string, body []ast.Stmt) []way {
	var list []way
	for _, stmt := range body {
		if _, isSwitch := stmt.(*ast.SwitchStmt); !isSwitch {
			list = append(list, m.row(where, anyState, stmt))
			continue
		}
		for _, c := range m.clauses(where, "state", stmt) {
			if len(c.List) != 1 {
				m.fail(where, "one state in a case", m.text(c))
				return nil
			}
			for _, stmt := range c.Body {
				list = append(list, m.row(where, ident(c.List[0]), stmt))
			}
		}
	}

	return list
}

// row reads a row: a return, or one behind a guard, which is found by it.
func (m *stateMachine) row(where, from string, stmt ast.Stmt) way {
	guarded, isIf := stmt.(*ast.IfStmt)
	if isIf && guarded.Init == nil && guarded.Else == nil && len(guarded.Body.List) == 1 {
		stmt = guarded.Body.List[0]
	}
	way := way{from: from}
	if results := m.results(where, 2, stmt); m.err == nil {
		way.to, way.match = ident(results[0]), m.text(results[1])
	}
	if m.err == nil && isIf != (way.match == "runtime.MatchGuard") {
		m.fail(where, "a row that is found by its guard", m.text(stmt))
	}

	return way
}
