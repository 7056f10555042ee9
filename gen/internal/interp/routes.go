package interp

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// routes are the transitions from a state of a machine, whatever their guards decide.
type routes struct {
	// byEvent are the rows of each event or key in the order in which they are tried, those from
	// "*" included.
	byEvent map[string]*eventRows
	// keys are the keys of rows, without the catch-all.
	keys []string
	// unconditional is the move of an unconditional state; nil for any other one.
	unconditional *Move
	// next are the values of next_state that the steps of the state may produce.
	next []Move
	// leadsAnywhere is set if only the run decides a target.
	leadsAnywhere bool
	// namesNext is set if the steps have named a next_state whenever they end well.
	namesNext bool
}

// eventRows are the rows of an event or a key, with the moves and the conditions of each.
type eventRows struct {
	rows       []*ir.Row
	moves      []Move
	conditions []ir.Expression
}

// noRows are the rows of an event without any. Its conditions are not nil: nothing else decides.
var noRows = eventRows{rows: []*ir.Row{}, conditions: []ir.Expression{}}

// add adds a row.
func (e *eventRows) add(move Move) {
	e.rows, e.moves = append(e.rows, move.Row), append(e.moves, move)
	e.conditions = append(e.conditions, GuardCondition(move.Row.When))
}

// table computes the routes of a machine's states on demand.
type table struct {
	machine *ir.Machine
	target  func(*ir.Machine, ir.Ref) *ir.State
	// states is the index of each state in the source.
	states map[*ir.State]int
	// rowOrder is the place of each row in the source, and fromAny are the rows from every state.
	rowOrder map[*ir.Row]int
	fromAny  []*ir.Row
	routes   map[*ir.State]*routes
}

// tableOf returns the table of a machine.
func (x *Interp[S]) tableOf(m *ir.Machine) *table {
	known := x.tables[m]
	if known != nil {
		return known
	}
	t := &table{
		machine: m, target: x.config.Target, states: map[*ir.State]int{},
		rowOrder: map[*ir.Row]int{}, routes: map[*ir.State]*routes{},
	}
	for i, state := range m.States {
		t.states[state] = i
	}
	isHidden := map[string]bool{} // events with an unconditional row from every state
	for i, row := range m.Rows() {
		t.rowOrder[row] = i
		if row.IsFromAny() && !isHidden[row.Key.Value] {
			t.fromAny = append(t.fromAny, row)
			isHidden[row.Key.Value] = row.When == nil
		}
	}
	x.tables[m] = t

	return t
}

// routesOf returns the routes of a state.
func (t *table) routesOf(s *ir.State) *routes {
	known := t.routes[s]
	if known != nil {
		return known
	}
	r := &routes{
		byEvent: map[string]*eventRows{}, keys: s.Keys(),
		leadsAnywhere: s.NextOpen || s.Empty.IsValid(), namesNext: NamesNext(s, s.Body),
	}
	if s.Always != nil {
		r.unconditional = &Move{Next: s.Always, To: t.target(t.machine, *s.Always)}
		r.leadsAnywhere = r.leadsAnywhere || r.unconditional.To == nil
	}
	for i := range s.Next {
		to := t.target(t.machine, s.Next[i])
		r.next = append(r.next, Move{Next: &s.Next[i], To: to})
		r.leadsAnywhere = r.leadsAnywhere || to == nil
	}
	rows := slices.Concat(s.Rows, t.fromAny)
	slices.SortFunc(rows, t.compareRowOrder)
	for _, row := range rows {
		move := Move{Row: row}
		if !StaysInState(s, row) {
			move.To = t.target(t.machine, row.To)
			r.leadsAnywhere = r.leadsAnywhere || move.To == nil && !row.End
		}
		of := r.byEvent[row.Key.Value]
		if of == nil {
			of = &eventRows{}
			r.byEvent[row.Key.Value] = of
		}
		of.add(move)
	}
	t.routes[s] = r

	return r
}

// compareRowOrder compares rows by when they are tried on the same event: those of a higher
// priority first, then in source order.
func (t *table) compareRowOrder(a, b *ir.Row) int {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(t.rowOrder[a], t.rowOrder[b]))
}

// StaysInState reports whether a row has no effect in s: a person's answer continues where it was
// asked for.
func StaysInState(s *ir.State, row *ir.Row) bool {
	return row.Key.Value == ir.OnPause && row.To.State == s
}
