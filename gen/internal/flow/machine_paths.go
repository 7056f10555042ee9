package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// machinePaths is what is found in a machine of a workflow when values are followed.
type machinePaths struct {
	machine *Machine
	// copies has each state once for each combination of values that its steps find, and the moves
	// between them; starts are those in which it begins, and at finds one.
	copies *Machine
	starts []*State
	at     map[place]*State
	// visited are the copies in which the machine was when it was run last, with the fewest calls of
	// models before each.
	visited map[*State]int
	// known are the moves between copies.
	known map[copiedMove]bool
	// stopped are the copies of states without rows in which the machine ends.
	stopped map[*State]bool
	taken   map[*Move]bool
	// stalls and stops are the states in which perhaps no move is taken, and well those whose steps can end well.
	stalls, stops, well map[*State]bool
	// stalled are the copies in which perhaps no move is taken.
	stalled map[*State]bool
}

// place is a state with the values that are found there.
type place struct {
	state *State
	values
}

// copiedMove distinguishes the moves between copies.
type copiedMove struct {
	from, to *State
	row      *ir.Row
	next     *ir.Ref
}

// pathsIn returns what is found in a machine.
func (x *paths) pathsIn(m *ir.Machine) *machinePaths {
	w := x.machines[m]
	if w == nil {
		w = &machinePaths{
			machine: x.p.machines[m], copies: &Machine{Machine: m, p: x.p}, at: map[place]*State{},
			known: map[copiedMove]bool{}, visited: map[*State]int{},
			stopped: map[*State]bool{}, taken: map[*Move]bool{}, stalls: map[*State]bool{}, stops: map[*State]bool{},
			well: map[*State]bool{}, stalled: map[*State]bool{},
		}
		x.machines[m] = w
	}

	return w
}

// Begin notes where a machine begins.
func (x *paths) Begin(_ *ir.Task, m *ir.Machine, in runs) runs {
	w := x.pathsIn(m)
	if w.machine.Start == nil || w.machine.Partial {
		x.gaveUp = true
		return nil
	}
	w.visited = map[*State]int{}
	in = x.forgetIn(w.machine.Start.State, in)
	for _, e := range in.sorted() {
		w.starts = append(w.starts, w.visit(w.machine.Start, e, in[e]))
	}

	return in
}

// forgetIn returns the runs that enter a state without the values that make no difference from there.
func (x *paths) forgetIn(s *ir.State, in runs) runs {
	if live, isKnown := x.live.entered[s]; isKnown {
		return in.forget(live)
	}

	return in
}

// Event notes that the steps of a state can end well.
func (x *paths) Event(at interp.At[runs], event string, in runs) runs {
	w := x.pathsIn(at.Machine)
	s := w.machine.of[at.State]
	w.well[s] = w.well[s] || event == ir.OnSuccess

	return in
}

// Take notes a move, and the copies between which it leads.
func (x *paths) Take(at interp.At[runs], move interp.Move, in runs) runs {
	w := x.pathsIn(at.Machine)
	from := w.copyOf(w.machine.of[at.State], at.Entry.Key.(values))
	taken := w.machine.of[at.State].moveOf(move)
	w.taken[taken] = true
	if move.To == nil {
		return in
	}
	to := w.machine.of[move.To]
	in = x.forgetIn(move.To, in)
	for _, e := range in.sorted() {
		copied := &Move{From: from, To: w.visit(to, e, in[e]), Row: taken.Row, Next: taken.Next, Open: move.Row == nil && move.Next == nil}
		key := copiedMove{from, copied.To, copied.Row, copied.Next}
		if !w.known[key] {
			w.known[key] = true
			from.Moves = append(from.Moves, copied)
		}
	}

	return in
}

// moveOf returns the move of a state that the interpreter has taken; an open one is none of its own.
func (s *State) moveOf(taken interp.Move) *Move {
	if move := ir.First(s.Moves, func(move *Move) bool { return move.isOf(taken) }); move != nil {
		return move
	}

	return &Move{Open: true}
}

// isOf reports whether a move is the one that the interpreter has taken.
func (m *Move) isOf(taken interp.Move) bool {
	if taken.Row != nil {
		return m.Row == taken.Row
	}

	next := m.Next
	if m.Row == nil && next == nil {
		next = m.From.Always
	}

	return next != nil && taken.Next != nil && *next == *taken.Next
}

// MayTake reports whether some run takes a move from a state. One that only the run decides is taken
// where it is not known where the state leads.
func (x *Machine) MayTake(from *ir.State, taken interp.Move) bool {
	s := x.of[from]
	if taken.Row == nil && taken.Next == nil {
		return s.Anywhere
	}

	return slices.ContainsFunc(s.Moves, func(move *Move) bool { return move.Dead == Alive && move.isOf(taken) })
}

// Stop notes that the machine ends in a state without rows.
func (x *paths) Stop(at interp.At[runs], isRowless bool, in runs) runs {
	w := x.pathsIn(at.Machine)
	s := w.machine.of[at.State]
	if !isRowless {
		return in
	}
	c := w.copyOf(s, at.Entry.Key.(values))
	w.stops[s], w.stopped[c], c.ends = true, true, true

	return in
}

// Stall notes that perhaps no move is taken.
func (x *paths) Stall(at interp.At[runs], _ runs) {
	w := x.pathsIn(at.Machine)
	s := w.machine.of[at.State]
	w.stalls[s], w.stalled[w.copyOf(s, at.Entry.Key.(values))] = true, true
}

// Finish adds the runs that end because of max_steps, wherever they are then.
func (x *paths) Finish(_ *ir.Task, m *ir.Machine, ends interp.Ends[runs]) interp.Ends[runs] {
	if m.MaxSteps == 0 || x.gaveUp {
		return ends
	}
	w := x.pathsIn(m)
	bounded := runs{}
	for _, at := range w.copies.again(w.visited) {
		bounded.add(at.remembers, w.visited[at])
	}
	ends.Failed = x.Join(ends.Failed, bounded)

	return ends
}

// again returns the states without an end in which the machine can be any number of steps after it
// has been in one of some others.
func (x *Machine) again(reached map[*State]int) []*State {
	next := x.graph(false)
	var turning []int
	for _, group := range scc.Cycles(next) {
		if _, isReached := reached[x.States[group[0]]]; isReached {
			turning = append(turning, group...)
		}
	}
	var found []*State
	for i, behind := range scc.From(next, turning...) {
		if s := x.States[i]; behind && !s.End {
			found = append(found, s)
		}
	}

	return found
}

// copyOf returns the copy of a state with some values.
func (w *machinePaths) copyOf(s *State, e values) *State {
	at := place{s, e}
	if w.at[at] == nil {
		w.at[at] = &State{State: s.State, Index: len(w.copies.States), remembers: e, ends: s.End}
		w.copies.States = append(w.copies.States, w.at[at])
	}

	return w.at[at]
}

// visit returns the copy of a state that is entered with some values behind so many calls of models.
func (w *machinePaths) visit(s *State, e values, calls int) *State {
	c := w.copyOf(s, e)
	least, isVisited := w.visited[c]
	if !isVisited || calls < least {
		w.visited[c] = calls
	}

	return c
}

// onSuccess reports whether a move is taken when the steps of its state have ended well.
func onSuccess(move *Move) bool { return move.Row == nil || move.Row.Key.Value == ir.OnSuccess }

// finish finds the shortest paths to the copies, when all steps have run. Where those of a state
// never end well, it is not for the machine to say so; nor where it only perhaps stalls.
func (w *machinePaths) finish() *Machine {
	for _, c := range w.copies.States {
		perhapsStalls := w.stalled[c] && slices.ContainsFunc(c.Moves, onSuccess)
		c.ends = c.ends || perhapsStalls || !w.well[w.machine.of[c.State]]
	}
	w.copies.reachFrom(w.starts)

	return w.copies
}
