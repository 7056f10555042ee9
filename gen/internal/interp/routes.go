package interp

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// routes are the ways that lead from a state of a machine, whatever their guards say.
type routes struct {
	// on are the rows of each event in the order in which they are tried, those from "*" included.
	on map[string][]Move
	// next are the values of next_state that the steps of the state may give.
	next []Move
	// leadsAnywhere is set where only the run decides what a way leads to.
	leadsAnywhere bool
	// namesNext is set where the steps have named a next_state whenever they end well.
	namesNext bool
}

// tableOf returns the routes of all states of a machine.
func (x *Interp[S]) tableOf(m *ir.Machine) map[*ir.State]*routes {
	if table := x.tables[m]; table != nil {
		return table
	}
	table := map[*ir.State]*routes{}
	for _, s := range m.States {
		table[s] = x.routesOf(m, s)
	}
	for _, row := range m.Rows() {
		if !row.FromAny() {
			x.addRow(table, m, row.From.State, row)
			continue
		}
		for _, s := range m.States {
			x.addRow(table, m, s, row)
		}
	}
	x.tables[m] = table

	return table
}

// routesOf returns the routes of a state without its rows.
func (x *Interp[S]) routesOf(m *ir.Machine, s *ir.State) *routes {
	r := &routes{on: map[string][]Move{}, leadsAnywhere: s.NextOpen, namesNext: NamesNext(s, s.Body)}
	for i := range s.Next {
		to := x.config.Target(m, s.Next[i])
		r.next = append(r.next, Move{Next: &s.Next[i], To: to})
		r.leadsAnywhere = r.leadsAnywhere || to == nil
	}

	return r
}

// addRow adds a row to the routes of a state. Behind one without a guard from every state no other
// one from every state is tried.
func (x *Interp[S]) addRow(table map[*ir.State]*routes, m *ir.Machine, s *ir.State, row *ir.Row) {
	r := table[s]
	if r == nil || s.End {
		return
	}
	isAlwaysTaken := func(move Move) bool { return move.Row.FromAny() && move.Row.When == nil }
	event := row.Key.Value
	if row.FromAny() && slices.ContainsFunc(r.on[event], isAlwaysTaken) {
		return
	}
	move := Move{Row: row}
	if !Stays(s, row) {
		move.To = x.config.Target(m, row.To)
		r.leadsAnywhere = r.leadsAnywhere || move.To == nil && !row.End
	}
	r.on[event] = append(r.on[event], move)
}

// Stays reports whether nothing comes of a row in s: a person's answer goes on where it was asked for.
func Stays(s *ir.State, row *ir.Row) bool { return row.Key.Value == ir.OnPause && row.To.State == s }
