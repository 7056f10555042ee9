package verify

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// cases calls read for every case of a method that is a switch over the states: for the whole method, or for each of its
// pieces, which have to hold the cases of their own states.
func (m *machine) cases(name string, read func(c *ast.CaseClause, within []*ir.State)) {
	body := m.function(m.method(name))
	if m.err != nil {
		return
	}
	if len(body) != 2 {
		m.fail(name, "a switch and a return", strconv.Itoa(len(body))+" statements")
		return
	}
	if sw, isSwitch := body[0].(*ast.SwitchStmt); isSwitch && sw.Tag == nil {
		m.pieces(name, body, read)
		return
	}
	m.piece(name, body, m.ir.States, read)
}

func (m *machine) piece(name string, body []ast.Stmt, within []*ir.State, read func(*ast.CaseClause, []*ir.State)) {
	last := -1
	for _, c := range m.clauses(name, "s", body[0]) {
		if c.List == nil {
			m.fail(name, "no default", "one")
			return
		}
		first := m.state(name, c.List[0])
		if m.err == nil && m.index[first] <= last {
			m.fail(name, "the cases in the order of their first states", first.Name.Value)
		}
		if m.err != nil {
			return
		}
		last = m.index[first]
		read(c, within)
	}
}

// pieces reads a method that was cut: a switch that finds the piece by the last state of each, and the last piece.
func (m *machine) pieces(name string, body []ast.Stmt, read func(*ast.CaseClause, []*ir.State)) {
	from := 0
	for _, c := range m.clauses(name, "", body[0]) {
		last := m.bound(name, c)
		if last == nil {
			return
		}
		to := m.index[last] + 1
		if to <= from {
			m.fail(name, "pieces in order", m.text(c))
			return
		}
		m.onePiece(name, c.Body, m.ir.States[from:to], read)
		from = to
	}
	if m.err == nil && from >= len(m.ir.States) {
		m.fail(name, "a last piece", "none left")
	}
	if m.err == nil {
		m.onePiece(name, body[1:], m.ir.States[from:], read)
	}
}

// bound returns the state in a case `s <= State`.
func (m *machine) bound(name string, c *ast.CaseClause) *ir.State {
	if m.err != nil {
		return nil
	}
	if len(c.List) == 1 {
		if e, isBinary := c.List[0].(*ast.BinaryExpr); isBinary && e.Op == token.LEQ && ident(e.X) == "s" {
			return m.state(name, e.Y)
		}
	}
	m.fail(name, "s <= a state", m.text(c))

	return nil
}

func (m *machine) onePiece(of string, call []ast.Stmt, within []*ir.State, read func(*ast.CaseClause, []*ir.State)) {
	name := names.Range(strings.ToLower(of[:1])+of[1:], within[0].Name.Value)
	where := fmt.Sprintf("%s, the piece from %q", of, within[0].Name.Value)
	results := m.results(where, 1, call...)
	if m.err != nil {
		return
	}
	if callOf(name, results[0]) == nil {
		m.fail(where, name, m.text(results[0]))
	}
	if body := m.function(m.method(name)); m.err == nil {
		m.piece(name, body, within, read)
	}
}

// listed returns the states of a case, each of which has to be one of within, in the order of the source.
func (m *machine) listed(where string, c *ast.CaseClause, within []*ir.State) []*ir.State {
	var states []*ir.State
	last := -1
	for _, e := range c.List {
		s := m.state(where, e)
		if s == nil {
			return nil
		}
		i := m.index[s]
		if i < m.index[within[0]] || i >= m.index[within[0]]+len(within) || i <= last {
			m.fail(where, "the states of this piece in order", s.Name.Value)
			return nil
		}
		last = i
		states = append(states, s)
	}

	return states
}

// give records a list for each state of a case.
func (m *machine) give(where string, got map[*ir.State][]string, c *ast.CaseClause, within []*ir.State, texts []string) {
	for _, s := range m.listed(where, c, within) {
		if got[s] != nil {
			m.fail(where, "each state once", s.Name.Value)
		}
		got[s] = texts
	}
}
