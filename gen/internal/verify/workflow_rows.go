package verify

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// way is a row of a machine of a workflow: the constants of the states that it begins in; the
// event; and what it gives. How it is found says whether it has a guard.
type way struct{ from, on, to, match string }

// events are the cases of the switches.
var events = []struct {
	on   string
	name string
}{{ir.OnSuccess, "workflow.Success"}, {ir.OnFailure, "workflow.Failure"}, {ir.OnPause, "workflow.Pause"}}

// ways returns the rows that a run can take, in the order in which the switches have them. States with the
// same rows share a case.
func (m *stateMachine) ways() []way {
	var order []string
	from, rows := map[string][]string{}, map[string][]way{}
	for _, s := range m.do.States {
		var of []way
		same := ""
		for _, event := range events {
			for _, row := range m.do.Ways(s, event.on) {
				of = append(of, m.way(row, event.name))
				same += fmt.Sprintf("%p", row)
			}
		}
		if from[same] == nil {
			order = append(order, same)
		}
		from[same], rows[same] = append(from[same], m.state(s)), of
	}
	var list []way
	for _, same := range order {
		for _, way := range rows[same] {
			way.from = strings.Join(from[same], ", ")
			list = append(list, way)
		}
	}

	return list
}

// way is a row as the program has it.
func (m *stateMachine) way(row *ir.Row, on string) way {
	way := way{on: on, to: m.state(row.To.State), match: "runtime.MatchExact"}
	switch {
	case row.When != nil:
		way.match = "runtime.MatchGuard"
	case row.FromAny():
		way.match = "runtime.MatchCatchAll"
	}

	return way
}

// read reads the switch over the states.
func (m *stateMachine) read(where string, body []ast.Stmt) []way {
	if len(body) != 1 {
		m.fail(where, "one switch", fmt.Sprint(len(body), " statements"))
		return nil
	}
	var list []way
	for _, c := range m.clauses(where, "state", body[0]) {
		if len(c.Body) != 1 {
			m.fail(where, "one switch", m.text(c))
			return nil
		}
		var from []string
		for _, state := range c.List {
			from = append(from, ident(state))
		}
		list = append(list, m.onEvents(where, strings.Join(from, ", "), c.Body[0])...)
	}

	return list
}

// onEvents reads a switch over the events.
func (m *stateMachine) onEvents(where, from string, stmt ast.Stmt) []way {
	var list []way
	for _, c := range m.clauses(where, "on", stmt) {
		if len(c.List) != 1 {
			m.fail(where, "one event in a case", m.text(c))
			return nil
		}
		for _, stmt := range c.Body {
			list = append(list, m.row(where, way{from: from, on: m.text(c.List[0])}, stmt))
		}
	}

	return list
}

// row reads a row: a return, or one behind a guard, which is found by it.
func (m *stateMachine) row(where string, way way, stmt ast.Stmt) way {
	guarded, isIf := stmt.(*ast.IfStmt)
	if isIf && guarded.Init == nil && guarded.Else == nil && len(guarded.Body.List) == 1 {
		stmt = guarded.Body.List[0]
	}
	if results := m.results(where, 2, stmt); m.err == nil {
		way.to, way.match = ident(results[0]), m.text(results[1])
	}
	if m.err == nil && isIf != (way.match == "runtime.MatchGuard") {
		m.fail(where, "a row that is found by its guard", m.text(stmt))
	}

	return way
}
