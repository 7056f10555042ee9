package interp

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// routes are the ways that lead from a state of a machine, whatever their guards say.
type routes struct {
	// on are the rows of each event or key in the order in which they are tried, those from "*"
	// included.
	on map[string][]Move
	// always is the move of an unconditional state; nil for any other one.
	always *Move
	// next are the values of next_state that the steps of the state may give.
	next []Move
	// leadsAnywhere is set where only the run decides what a way leads to.
	leadsAnywhere bool
	// namesNext is set where the steps have named a next_state whenever they end well.
	namesNext bool
}

// table finds the routes of the states of a machine when they are first asked for.
type table struct {
	machine *ir.Machine
	target  func(*ir.Machine, ir.Ref) *ir.State
	// states is the place of each state in the source.
	states map[*ir.State]int
	// order is the place of each row in the source, and fromAny are the rows from every state.
	order   map[*ir.Row]int
	fromAny []*ir.Row
	routes  map[*ir.State]*routes
}

// tableOf returns the table of a machine.
func (x *Interp[S]) tableOf(m *ir.Machine) *table {
	known := x.tables[m]
	if known != nil {
		return known
	}
	t := &table{
		machine: m, target: x.config.Target, states: map[*ir.State]int{},
		order: map[*ir.Row]int{}, routes: map[*ir.State]*routes{},
	}
	for i, state := range m.States {
		t.states[state] = i
	}
	isHidden := map[string]bool{} // events with a row from every state that is always taken
	for i, row := range m.Rows() {
		t.order[row] = i
		if row.IsFromAny() && !isHidden[row.Key.Value] {
			t.fromAny = append(t.fromAny, row)
			isHidden[row.Key.Value] = row.When == nil
		}
	}
	x.tables[m] = t

	return t
}

// of returns the routes of a state.
func (t *table) of(s *ir.State) *routes {
	known := t.routes[s]
	if known != nil {
		return known
	}
	r := &routes{on: map[string][]Move{}, leadsAnywhere: s.NextOpen || s.Empty.IsValid(), namesNext: NamesNext(s, s.Body)}
	if s.Always != nil {
		r.always = &Move{Next: s.Always, To: t.target(t.machine, *s.Always)}
		r.leadsAnywhere = r.leadsAnywhere || r.always.To == nil
	}
	for i := range s.Next {
		to := t.target(t.machine, s.Next[i])
		r.next = append(r.next, Move{Next: &s.Next[i], To: to})
		r.leadsAnywhere = r.leadsAnywhere || to == nil
	}
	rows := slices.Concat(s.Rows, t.fromAny)
	slices.SortFunc(rows, t.compareRows)
	for _, row := range rows {
		move := Move{Row: row}
		if !Stays(s, row) {
			move.To = t.target(t.machine, row.To)
			r.leadsAnywhere = r.leadsAnywhere || move.To == nil && !row.End
		}
		r.on[row.Key.Value] = append(r.on[row.Key.Value], move)
	}
	t.routes[s] = r

	return r
}

// compareRows compares rows by when they are tried on the same event: those of a higher priority
// first, then in source order.
func (t *table) compareRows(a, b *ir.Row) int {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(t.order[a], t.order[b]))
}

// Stays reports whether nothing comes of a row in s: a person's answer goes on where it was asked for.
func Stays(s *ir.State, row *ir.Row) bool { return row.Key.Value == ir.OnPause && row.To.State == s }
