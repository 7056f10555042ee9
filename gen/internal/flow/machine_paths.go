package flow

import (
	"slices"

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
	// failed are the values with which the machine fails in a copy; nil until its steps have run.
	failed map[*State]runs
	// stopped are the values with which the machine ends in a copy of a state without rows.
	stopped map[*State]runs
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

// machine runs a machine with some values.
func (x *paths) machine(m *ir.Machine, e values) result {
	w := x.machines[m]
	if w == nil {
		w = &machinePaths{
			machine: x.p.machines[m], copies: &Machine{Machine: m, p: x.p}, at: map[place]*State{}, failed: map[*State]runs{}, stopped: map[*State]runs{},
			taken: map[*Move]bool{}, stalls: map[*State]bool{}, stops: map[*State]bool{}, well: map[*State]bool{},
			stalled: map[*State]bool{},
		}
		x.machines[m] = w
	}
	r := nothing()
	if w.machine.Start == nil || w.machine.Partial {
		x.gaveUp = true
		return r
	}
	begin := w.enter(w.machine.Start, e)
	w.starts = append(w.starts, begin)
	least, frontier := map[*State]int{begin: 0}, []*State{begin}
	for steps := 0; len(frontier) > 0 && !x.gaveUp; steps++ {
		for _, at := range frontier {
			switch {
			case at.End && (m.MaxSteps == 0 || steps <= m.MaxSteps):
				r.ok.add(at.remembers, least[at])
			case !at.End && m.MaxSteps > 0 && steps >= m.MaxSteps:
				r.failed.add(at.remembers, least[at])
			}
			x.leave(w, at)
			r.failed.addAll(w.failed[at], least[at])
			if m.MaxSteps == 0 || steps < m.MaxSteps {
				r.ok.addAll(w.stopped[at], least[at])
			}
		}
		frontier = further(frontier, least)
	}
	if m.MaxSteps > 0 {
		for _, at := range w.copies.again(least) {
			r.failed.add(at.remembers, least[at]) // the bound ends it
		}
	}

	return r
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

// enter returns the copy of a state with some values.
func (w *machinePaths) enter(s *State, e values) *State {
	at := place{s, e}
	if w.at[at] == nil {
		w.at[at] = &State{State: s.State, Index: len(w.copies.States), remembers: e, ends: s.End}
		w.copies.States = append(w.copies.States, w.at[at])
	}

	return w.at[at]
}

// leave runs the steps of a state, if they have not run, and finds what follows.
func (x *paths) leave(w *machinePaths, at *State) {
	if at.End || w.failed[at] != nil {
		return
	}
	w.failed[at] = runs{}
	around := x.paused
	x.paused = runs{}
	r := x.steps(at.Body, runs{at.remembers: 0})
	s := w.machine.of[at.State]
	w.well[s] = w.well[s] || len(r.ok) > 0
	x.follow(w, at, ir.OnPause, x.paused)
	x.follow(w, at, ir.OnFailure, r.failed)
	x.follow(w, at, ir.OnSuccess, r.ok)
	x.paused = around
}

// follow takes the rows for an event. Those that are never taken are tried too: one without a guard is where the machine fails when a
// guard before it is unknown.
func (x *paths) follow(w *machinePaths, at *State, event string, ends runs) {
	s := w.machine.of[at.State]
	var rows []*Move
	var conditions []ir.Expression
	for _, move := range s.Moves {
		if move.Row != nil && move.Row.Key.Value == event {
			rows = append(rows, move)
			conditions = append(conditions, Condition(move.Row.When))
		}
	}
	for _, e := range ends.sorted() {
		calls := ends[e]
		x.choose(e, conditions, func(i int, e values) {
			switch {
			case i == blocked:
				w.failed[at].add(e, calls)
			case i < len(rows):
				w.take(at, rows[i], e, calls)
			case event == ir.OnFailure:
				w.failed[at].add(e, calls)
			case event == ir.OnSuccess:
				w.named(at, e, calls)
			}
		})
	}
}

// take leads on by a move of the machine, with some values.
func (w *machinePaths) take(at *State, move *Move, e values, calls int) {
	w.taken[move] = true
	if move.To != nil {
		at.Moves = append(at.Moves, &Move{From: at, To: w.enter(move.To, e), Row: move.Row, Next: move.Next, Open: move.Open, calls: calls})
	}
}

// named follows next_state; without one, the machine ends or stalls.
func (w *machinePaths) named(at *State, e values, calls int) {
	s := w.machine.of[at.State]
	for _, move := range s.Moves {
		if move.Next != nil {
			w.take(at, move, e, calls)
		}
	}
	if s.Anywhere {
		for _, to := range w.machine.States {
			w.take(at, &Move{To: to, Open: true}, e, calls)
		}
	}
	if s.Stops {
		w.stop(at, e, calls)
	}
	if !s.Stalls {
		return
	}
	w.stalls[s], w.stalled[at] = true, true
	w.failed[at].add(e, calls)
}

// onSuccess reports whether a move is taken when the steps of its state have ended well.
func onSuccess(move *Move) bool { return move.Row == nil || move.Row.Key.Value == ir.OnSuccess }

// stop ends the machine in a copy of a state without rows.
func (w *machinePaths) stop(at *State, e values, calls int) {
	w.stops[w.machine.of[at.State]], at.ends = true, true
	if w.stopped[at] == nil {
		w.stopped[at] = runs{}
	}
	w.stopped[at].add(e, calls)
}

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
