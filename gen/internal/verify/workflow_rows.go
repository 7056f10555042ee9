package verify

import (
	"go/ast"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// way is a row of a machine of a workflow: the constant of the state that it begins in, anyState
// for all; the event; and what it gives. How it is found says whether it has a guard.
type way struct{ from, on, to, match string }

const anyState = "*"

// events are the cases of the switches.
var events = []struct {
	on   string
	name string
}{{ir.OnSuccess, "workflow.Success"}, {ir.OnFailure, "workflow.Failure"}, {ir.OnPause, "workflow.Pause"}}

// ways returns the rows that a run can take: none behind one without a guard for the same states.
// Rows of states that no row from every state is between, for their event, are ordered by state:
// the code has a switch for them.
func (m *stateMachine) ways() []way {
	var layers []map[string][]way // by the constant of the state
	for _, event := range events {
		at, closed := 0, map[*ir.State]bool{}
		for _, row := range m.do.Rows() {
			if row.Key.Value != event.on || !row.FromAny() && closed[row.From.State] {
				continue
			}
			if row.FromAny() != (at%2 == 1) {
				at++
			}
			for len(layers) <= at {
				layers = append(layers, map[string][]way{})
			}
			way := m.way(row, event.name)
			layers[at][way.from] = append(layers[at][way.from], way)
			if row.When == nil && row.FromAny() {
				break
			}
			closed[row.From.State] = row.When == nil
		}
	}
	var list []way
	for _, layer := range layers {
		list = append(list, layer[anyState]...)
		for _, s := range m.do.States {
			list = append(list, layer[m.state(s)]...)
		}
	}

	return list
}

// way is a row as the program has it.
func (m *stateMachine) way(row *ir.Row, on string) way {
	way := way{from: anyState, on: on, to: m.state(row.To.State), match: "runtime.MatchCatchAll"}
	if !row.FromAny() {
		way.from, way.match = m.state(row.From.State), "runtime.MatchExact"
	}
	if row.When != nil {
		way.match = "runtime.MatchGuard"
	}

	return way
}

// read reads switches over the states, and those over the events that are for rows from every
// state.
func (m *stateMachine) read(where string, body []ast.Stmt) []way {
	var list []way
	for _, stmt := range body {
		sw, isSwitch := stmt.(*ast.SwitchStmt)
		if !isSwitch || ident(sw.Tag) != "state" {
			list = append(list, m.onEvents(where, anyState, stmt)...)
			continue
		}
		for _, c := range m.clauses(where, "state", stmt) {
			if len(c.List) != 1 || len(c.Body) != 1 {
				m.fail(where, "one state in a case, and one switch", m.text(c))
				return nil
			}
			list = append(list, m.onEvents(where, ident(c.List[0]), c.Body[0])...)
		}
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
