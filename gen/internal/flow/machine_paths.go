package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// machinePaths is the result for a workflow's machine with followed values.
type machinePaths struct {
	machine *Machine
	// copies has a copy of each state for each combination of values at its steps, and the moves
	// between them. starts are the initial copies, and copyAt finds one.
	copies *Machine
	starts []*State
	copyAt map[stateValues]*State
	// visited are the copies that the last run of the machine visited, with the fewest calls of
	// models before each.
	visited map[*State]int
	// known are the moves between copies.
	known map[copiedMove]bool
	// stopped are the copies of states without rows in which the machine ends.
	stopped map[*State]bool
	taken   map[*Move]bool
	// stalls and stops are the states after which the machine may stall or end. well are those
	// whose steps can end well, answered those that an answer may leave, and failed those whose
	// steps can fail.
	stalls, stops, well, answered, failed map[*State]bool
	// stalled are the copies in which no move may be taken.
	stalled map[*State]bool
}

// stateValues is a state with the values of variables.
type stateValues struct {
	state *State
	values
}

// copiedMove identifies a move between copies.
type copiedMove struct {
	from, to *State
	row      *ir.Row
	next     *ir.Ref
}

// machineResult returns the result for a machine.
func (x *paths) machineResult(m *ir.Machine) *machinePaths {
	w := x.machines[m]
	if w == nil {
		w = &machinePaths{
			machine: x.p.machines[m], copies: &Machine{Machine: m, p: x.p}, copyAt: map[stateValues]*State{},
			known: map[copiedMove]bool{}, visited: map[*State]int{},
			stopped: map[*State]bool{}, taken: map[*Move]bool{}, stalls: map[*State]bool{}, stops: map[*State]bool{},
			well: map[*State]bool{}, answered: map[*State]bool{}, failed: map[*State]bool{}, stalled: map[*State]bool{},
		}
		x.machines[m] = w
	}

	return w
}

// Begin records where a machine begins.
func (x *paths) Begin(_ *ir.Task, m *ir.Machine, in runs) runs {
	w := x.machineResult(m)
	if w.machine.Start == nil || w.machine.Partial {
		x.hasGivenUp = true
		return nil
	}
	w.visited = map[*State]int{}
	return in
}

// Starts returns the initial states of a machine.
func (x *paths) Starts(_ *ir.Task, m *ir.Machine, in runs) (starts []interp.Start[runs], failed runs) {
	w := x.machineResult(m)
	if x.hasGivenUp {
		return nil, nil
	}
	for _, s := range w.machine.starts() {
		entering := x.forgetAtEntry(s.State, in)
		for _, e := range entering.sorted() {
			w.starts = append(w.starts, w.recordVisit(s, e, entering[e]))
		}
		starts = append(starts, interp.Start[runs]{State: s.State, In: entering})
	}

	return starts, nil
}

// forgetAtEntry returns the runs that enter a state without the values of dead variables.
func (x *paths) forgetAtEntry(s *ir.State, in runs) runs {
	if live, isKnown := x.live.liveAtEntry[s]; isKnown {
		return in.withoutDead(live)
	}

	return in
}

// Event records that the steps of a state can end well, with an answer that leaves it, or fail.
func (x *paths) Event(at interp.StateVisit[runs], event string, in runs) runs {
	w := x.machineResult(at.Machine)
	s := w.machine.stateOf[at.State]
	w.well[s] = w.well[s] || event == ir.OnSuccess
	w.answered[s] = w.answered[s] || event == ir.OnPause
	w.failed[s] = w.failed[s] || event == ir.OnFailure

	return in
}

// Take records a move, and the copies that it connects.
func (x *paths) Take(at interp.StateVisit[runs], move interp.Move, in runs) runs {
	w := x.machineResult(at.Machine)
	from := w.copyOf(w.machine.stateOf[at.State], at.Entry.Key.(values))
	taken := w.machine.stateOf[at.State].moveOf(move)
	w.taken[taken] = true
	if move.To == nil {
		return in
	}
	to := w.machine.stateOf[move.To]
	in = x.forgetAtEntry(move.To, in)
	for _, e := range in.sorted() {
		copied := &Move{From: from, To: w.recordVisit(to, e, in[e]), Row: taken.Row, Next: taken.Next, Open: move.Row == nil && move.Next == nil}
		key := copiedMove{from, copied.To, copied.Row, copied.Next}
		if !w.known[key] {
			w.known[key] = true
			from.Moves = append(from.Moves, copied)
		}
	}

	return in
}

// moveOf returns the move of a state that the interpreter has taken. An open move has no entry.
func (s *State) moveOf(taken interp.Move) *Move {
	if move := ir.First(s.Moves, func(move *Move) bool { return move.isSameMove(taken) }); move != nil {
		return move
	}

	return &Move{Open: true}
}

// isSameMove reports whether a move is the one that the interpreter has taken.
func (m *Move) isSameMove(taken interp.Move) bool {
	if taken.Row != nil {
		return m.Row == taken.Row
	}

	next := m.Next
	if m.Row == nil && next == nil {
		next = m.From.Always
	}

	return next != nil && taken.Next != nil && *next == *taken.Next
}

// MayTake reports whether some run takes a move from a state. A move that only the run decides is
// taken if the targets of the state are not known.
func (x *Machine) MayTake(from *ir.State, taken interp.Move) bool {
	s := x.stateOf[from]
	if taken.Row == nil && taken.Next == nil {
		return s.Anywhere
	}

	return slices.ContainsFunc(s.Moves, func(move *Move) bool { return move.Dead == Alive && move.isSameMove(taken) })
}

// Stop records that the machine ends in a state without rows.
func (x *paths) Stop(at interp.StateVisit[runs], isRowless bool, in runs) runs {
	w := x.machineResult(at.Machine)
	s := w.machine.stateOf[at.State]
	if !isRowless {
		return in
	}
	c := w.copyOf(s, at.Entry.Key.(values))
	w.stops[s], w.stopped[c], c.ends = true, true, true

	return in
}

// Stall records that no move may be taken.
func (x *paths) Stall(at interp.StateVisit[runs], _ runs) {
	w := x.machineResult(at.Machine)
	s := w.machine.stateOf[at.State]
	w.stalls[s], w.stalled[w.copyOf(s, at.Entry.Key.(values))] = true, true
}

// Finish adds the runs that end because of max_steps.
func (x *paths) Finish(_ *ir.Task, m *ir.Machine, ends interp.Ends[runs]) interp.Ends[runs] {
	if m.MaxSteps == 0 || x.hasGivenUp {
		return ends
	}
	w := x.machineResult(m)
	bounded := runs{}
	for _, at := range w.copies.reachableAgain(w.visited) {
		bounded.add(at.remembers, w.visited[at])
	}
	ends.Failed = interp.Join(x, ends.Failed, bounded)

	return ends
}

// reachableAgain returns the states without an end that the machine can reach after any number of
// steps from some others.
func (x *Machine) reachableAgain(reached map[*State]int) []*State {
	next := x.moveGraph(false)
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
	at := stateValues{s, e}
	if w.copyAt[at] == nil {
		w.copyAt[at] = &State{State: s.State, Index: len(w.copies.States), remembers: e, ends: s.End}
		w.copies.States = append(w.copies.States, w.copyAt[at])
	}

	return w.copyAt[at]
}

// recordVisit returns the copy of a state that is entered after some calls of models.
func (w *machinePaths) recordVisit(s *State, e values, calls int) *State {
	c := w.copyOf(s, e)
	least, isVisited := w.visited[c]
	if !isVisited || calls < least {
		w.visited[c] = calls
	}

	return c
}

// isOnSuccess reports whether a move is taken after the steps of its state have ended well.
func isOnSuccess(move *Move) bool { return move.Row == nil || move.Row.Key.Value == ir.OnSuccess }

// finish finds the shortest paths to the copies, after all steps have run. A state whose steps
// never end well, or that only may stall, is not a fault of the machine.
func (w *machinePaths) finish() *Machine {
	for _, c := range w.copies.States {
		perhapsStalls := w.stalled[c] && slices.ContainsFunc(c.Moves, isOnSuccess)
		s := w.machine.stateOf[c.State]
		c.ends = c.ends || perhapsStalls || !w.well[s] && !w.answered[s]
	}
	w.copies.reachFrom(w.starts)

	return w.copies
}
