package verify

import (
	"fmt"
	"go/ast"
	"strconv"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// way is a row of a machine as Go has it: the constant of the state that it begins in, anyState for all; its guard, "" without
// one; and what it gives.
type way struct{ from, guard, to, match string }

const anyState = "*"

// events are the cases of the method that holds the rows.
var events = []struct {
	on   string
	name string
}{{ir.OnSuccess, "workflow.Success"}, {ir.OnFailure, "workflow.Failure"}, {ir.OnPause, "workflow.Pause"}}

// rows compares the method that holds the rows, event by event.
func (m *stateMachine) rows() {
	name := m.verb(names.Next)
	if len(m.do.Rows()) == 0 {
		m.absent(m.method(name))
		return
	}
	m.head(m.method(name), "func (r *"+m.typ()+") "+name+"(state "+m.stateType()+", on workflow.Event) ("+m.stateType()+", runtime.Match)")
	body := m.function(m.method(name))
	if m.err == nil && len(body) != 2 {
		m.fail(name, "a switch and a return", strconv.Itoa(len(body))+" statements")
	}
	if m.err != nil {
		return
	}
	m.written(name+", the end", "return 0, runtime.MatchNone", body[1])

	clauses := m.clauses(name, "on", body[0])
	for _, event := range events {
		want := m.ways(event.on)
		if len(want) == 0 || m.err != nil {
			continue
		}
		where := name + ", on " + event.on
		if len(clauses) == 0 {
			m.fail(where, "a case", "none")
			return
		}
		m.event(where, event.name, want, clauses[0])
		clauses = clauses[1:]
	}
	if len(clauses) > 0 {
		m.fail(name, "no more cases", m.text(clauses[0]))
	}
}

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

// way is a row as it should be written.
func (m *stateMachine) way(row *ir.Row) way {
	way := way{from: anyState, to: m.state(row.To.State), match: "runtime.MatchCatchAll"}
	if !row.FromAny() {
		way.from, way.match = m.state(row.From.State), "runtime.MatchExact"
	}
	if row.When != nil {
		way.guard = (&scope{w: m.workflow}).condition(row.When.Formula.Root).text
		way.match = "runtime.MatchGuard"
	}

	return way
}

// event compares the rows on one event.
func (m *stateMachine) event(where, name string, want []way, c *ast.CaseClause) {
	if len(c.List) != 1 {
		m.fail(where, "a case of "+name, m.text(c))
		return
	}
	m.written(where, name, c.List[0])
	got := m.read(where, c.Body)
	for i := range max(len(want), len(got)) {
		here := fmt.Sprintf("%s, row %d", where, i+1)
		switch {
		case m.err != nil:
			return
		case i >= len(got):
			m.fail(here, "one from "+want[i].from+" to "+want[i].to, "none")
		case i >= len(want):
			m.fail(here, "none", "one from "+got[i].from+" to "+got[i].to)
		default:
			m.equal(here+", its state", want[i].from, got[i].from)
			m.writtenText(here+", its guard", want[i].guard, got[i].guard)
			m.equal(here+", its target", want[i].to, got[i].to)
			m.equal(here+", its match", want[i].match, got[i].match)
		}
	}
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
				list = append(list, m.row(where, m.text(c.List[0]), stmt))
			}
		}
	}

	return list
}

// row reads a row: a return, or one behind a guard.
func (m *stateMachine) row(where, from string, stmt ast.Stmt) way {
	way := way{from: from}
	if guarded, isIf := stmt.(*ast.IfStmt); isIf && guarded.Init == nil && guarded.Else == nil && len(guarded.Body.List) == 1 {
		way.guard = m.text(guarded.Cond)
		stmt = guarded.Body.List[0]
	}
	if results := m.results(where, 2, stmt); m.err == nil {
		way.to, way.match = m.text(results[0]), m.text(results[1])
	}

	return way
}
