package verify

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// function is a method of the states that is a switch over them: whole, or in pieces that have its parameters and results.
type function struct {
	name, params, results string
	// args is how the method hands its parameters to a piece.
	args string
	// rest is what it returns without a case.
	rest string
}

// headOf compares the head of a method that is fn, or a piece of it.
func (m *machine) headOf(fn function, name string) {
	m.head(m.method(name), "func (s "+m.stateType()+") "+name+"("+fn.params+") "+fn.results)
}

// cases calls read for every case of a method that is a switch over the states: for the whole method, or for each of its
// pieces, which have to hold the cases of their own states.
func (m *machine) cases(fn function, read func(c *ast.CaseClause, within []*ir.State)) {
	body := m.function(m.method(fn.name))
	if m.err != nil {
		return
	}
	if len(body) != 2 {
		m.fail(fn.name, "a switch and a return", strconv.Itoa(len(body))+" statements")
		return
	}
	if sw, isSwitch := body[0].(*ast.SwitchStmt); isSwitch && sw.Tag == nil {
		m.headOf(fn, fn.name)
		m.pieces(fn, body, read)
		return
	}
	if len(m.keys) == 0 && !m.asked.guards {
		fn.params = strings.Replace(fn.params, "key ", "_ ", 1) // nothing asks for it
	}
	m.headOf(fn, fn.name)
	m.piece(fn.name, fn.rest, body, m.ir.States, read)
}

func (m *machine) piece(name, rest string, body []ast.Stmt, within []*ir.State, read func(*ast.CaseClause, []*ir.State)) {
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
	m.written(name+", the end", rest, body[1])
}

// pieces reads a method that was cut: a switch that finds the piece by the last state of each, and the last piece.
func (m *machine) pieces(fn function, body []ast.Stmt, read func(*ast.CaseClause, []*ir.State)) {
	from := 0
	for _, c := range m.clauses(fn.name, "", body[0]) {
		last := m.bound(fn.name, c)
		if last == nil {
			return
		}
		to := m.index[last] + 1
		if to <= from {
			m.fail(fn.name, "pieces in order", m.text(c))
			return
		}
		m.onePiece(fn, c.Body, m.ir.States[from:to], read)
		from = to
	}
	if m.err == nil && from >= len(m.ir.States) {
		m.fail(fn.name, "a last piece", "none left")
	}
	if m.err == nil {
		m.onePiece(fn, body[1:], m.ir.States[from:], read)
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

func (m *machine) onePiece(fn function, call []ast.Stmt, within []*ir.State, read func(*ast.CaseClause, []*ir.State)) {
	name := names.Range(strings.ToLower(fn.name[:1])+fn.name[1:], within[0].Name.Value)
	where := fmt.Sprintf("%s, the piece from %q", fn.name, within[0].Name.Value)
	results := m.results(where, 1, call...)
	if m.err != nil {
		return
	}
	m.written(where, "s."+name+"("+fn.args+")", results[0])
	body := m.function(m.method(name))
	if m.err == nil && len(body) != 2 {
		m.fail(name, "a switch and a return", strconv.Itoa(len(body))+" statements")
	}
	if m.err == nil {
		m.headOf(fn, name)
		m.piece(name, fn.rest, body, within, read)
	}
}

// listed returns the states of a case in which every state has to stand in within and the order to be that of the source.
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
