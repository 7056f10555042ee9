package flow

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// machinePaths is what is found in a machine of a workflow when values are followed.
type machinePaths struct {
	machine *Machine
	// left is what is known of the places that are reached, by how each is reached first, and first in
	// which place each state is.
	left  map[place]*left
	by    map[place]arrival
	first map[*State]place
	taken map[*Move]bool
	// stalls are the states in which perhaps no move is taken, and well those whose steps can end well.
	stalls, well map[*State]bool
	// free are the places in which the machine ends, or fails for a reason that its guards have.
	free map[place]bool
	// steps are the fewest to an end, 0 where there is none; nearest is where that is.
	steps   int
	nearest *State
}

// place is a state with the values that its steps find.
type place struct {
	state *State
	values
}

// arrival is a move from a place, behind so many states; nil where only the run decides what follows.
type arrival struct {
	from  place
	move  *Move
	steps int
}

// left is where a place leads, and with which values the machine fails there.
type left struct {
	edges  []edge
	failed runs
}

// edge is a move to a place, with the fewest calls of models before it.
type edge struct {
	move  *Move
	to    place
	calls int
}

// machine runs a machine with some values.
func (x *paths) machine(m *ir.Machine, e values) result {
	w := x.machines[m]
	if w == nil {
		w = &machinePaths{
			machine: x.p.machines[m], left: map[place]*left{}, by: map[place]arrival{}, first: map[*State]place{},
			taken: map[*Move]bool{}, stalls: map[*State]bool{}, well: map[*State]bool{}, free: map[place]bool{},
		}
		x.machines[m] = w
	}
	r := nothing()
	if w.machine.Start == nil || w.machine.Partial {
		x.gaveUp = true
		return r
	}
	begin := place{w.machine.Start, e}
	w.arrive(begin, arrival{})
	least, frontier := map[place]int{begin: 0}, map[place]int{begin: 0}
	for steps := 0; len(frontier) > 0 && !x.gaveUp; steps++ {
		next := map[place]int{}
		for _, at := range slices.SortedFunc(maps.Keys(frontier), place.compare) {
			calls := frontier[at]
			switch {
			case at.state.End:
				w.end(at, steps)
				if m.MaxSteps == 0 || steps <= m.MaxSteps {
					r.ok.add(at.values, calls)
				}
				continue
			case m.MaxSteps > 0 && steps >= m.MaxSteps:
				r.failed.add(at.values, calls)
			}
			leaves := x.leave(w, at)
			r.failed.addAll(leaves.failed, calls)
			for _, edge := range leaves.edges {
				w.arrive(edge.to, arrival{at, edge.move, steps + 1})
				if known, isKnown := least[edge.to]; !isKnown || calls+edge.calls < known {
					least[edge.to] = calls + edge.calls
					next[edge.to] = calls + edge.calls
				}
			}
		}
		frontier = next
	}
	if m.MaxSteps > 0 {
		for _, at := range w.again(begin) {
			r.failed.add(at.values, least[at]) // the bound ends it
		}
	}

	return r
}

// again returns the places in which the machine can be any number of steps after it has begun in one.
func (w *machinePaths) again(begin place) []place {
	places, index := []place{begin}, map[place]int{begin: 0}
	var next [][]int
	for i := 0; i < len(places); i++ {
		next = append(next, nil)
		leaves := w.left[places[i]]
		if leaves == nil {
			continue
		}
		for _, edge := range leaves.edges {
			to, known := index[edge.to]
			if !known {
				to = len(places)
				index[edge.to], places = to, append(places, edge.to)
			}
			next[i] = append(next[i], to)
		}
	}
	var found []place
	seen := make([]bool, len(places))
	for _, group := range scc.Groups(next) {
		if len(group) == 1 && !slices.Contains(next[group[0]], group[0]) {
			continue
		}
		for queue := group; len(queue) > 0; queue = queue[1:] {
			if i := queue[0]; !seen[i] && !places[i].state.End {
				seen[i] = true
				found = append(found, places[i])
				queue = append(queue, next[i]...)
			}
		}
	}

	return found
}

func (at place) compare(other place) int {
	return cmp.Or(cmp.Compare(at.state.Index, other.state.Index), cmp.Compare(at.values, other.values))
}

// arrive notes how a place is reached first.
func (w *machinePaths) arrive(at place, by arrival) {
	if _, known := w.by[at]; known {
		return
	}
	w.by[at] = by
	if _, known := w.first[at.state]; !known {
		w.first[at.state] = at
	}
}

// end notes that the machine ends behind so many states.
func (w *machinePaths) end(at place, steps int) {
	w.free[at] = true
	if w.nearest == nil || steps < w.steps {
		w.nearest, w.steps = at.state, steps
	}
}

// pathTo returns the moves of the shortest path to a state; nil where it has a step of which only
// the run decides.
func (w *machinePaths) pathTo(s *State) []*Move {
	var path []*Move
	at, known := w.first[s]
	for known && w.by[at].from.state != nil {
		if w.by[at].move == nil {
			return nil
		}
		path = append(path, w.by[at].move)
		at = w.by[at].from
	}
	slices.Reverse(path)

	return path
}

// leave runs the steps of a state and finds what follows.
func (x *paths) leave(w *machinePaths, at place) *left {
	if known := w.left[at]; known != nil {
		return known
	}
	l := &left{failed: runs{}}
	w.left[at] = l
	around := x.paused
	x.paused = runs{}
	r := x.steps(at.state.Body, runs{at.values: 0})
	w.well[at.state] = w.well[at.state] || len(r.ok) > 0
	x.follow(w, at, l, ir.OnPause, x.paused)
	x.follow(w, at, l, ir.OnFailure, r.failed)
	x.follow(w, at, l, ir.OnSuccess, r.ok)
	x.paused = around

	return l
}

// follow takes the rows for an event.
func (x *paths) follow(w *machinePaths, at place, l *left, event string, ends runs) {
	var rows []*Move
	var conditions []ir.Expression
	for _, move := range at.state.Moves {
		if move.Row != nil && move.Row.Key.Value == event && move.Dead == Alive {
			rows = append(rows, move)
			conditions = append(conditions, condition(move.Row.When, at.state.Index+len(conditions)))
		}
	}
	for _, e := range ends.sorted() {
		calls := ends[e]
		x.choose(e, conditions, func(i int, e values) {
			switch {
			case i < len(rows):
				w.take(l, rows[i], place{rows[i].To, e}, calls)
			case event == ir.OnFailure:
				l.failed.add(e, calls)
			case event == ir.OnSuccess:
				w.named(at, l, e, calls)
			}
		})
	}
}

func (w *machinePaths) take(l *left, move *Move, to place, calls int) {
	w.taken[move] = true
	if to.state != nil {
		l.edges = append(l.edges, edge{move, to, calls})
	}
}

// named follows next_state; without one, the machine stalls.
func (w *machinePaths) named(at place, l *left, e values, calls int) {
	guarded := false
	for _, move := range at.state.Moves {
		if move.Next != nil {
			w.take(l, move, place{move.To, e}, calls)
		}
		guarded = guarded || move.leads() && (move.Row == nil || move.Row.Key.Value == ir.OnSuccess)
	}
	if at.state.Anywhere {
		for _, s := range w.machine.States {
			l.edges = append(l.edges, edge{nil, place{s, e}, calls})
		}
	}
	if !at.state.Stalls {
		return
	}
	w.stalls[at.state] = true
	l.failed.add(e, calls)
	if guarded {
		w.free[at] = true
	}
}

// stuck returns the groups of states that lead to each other and from which the machine reaches no
// end, whatever the values are with which it is there. Why steps never end well is not for the machine
// to say.
func (w *machinePaths) stuck() []Stuck {
	from := map[place][]place{}
	ends := maps.Clone(w.free)
	for at, leaves := range w.left {
		if !w.well[at.state] {
			ends[at] = true
		}
		for _, edge := range leaves.edges {
			from[edge.to] = append(from[edge.to], at)
		}
	}
	free := make([]bool, len(w.machine.States))
	for queue := slices.Collect(maps.Keys(ends)); len(queue) > 0; queue = queue[1:] {
		free[queue[0].state.Index] = true
		for _, at := range from[queue[0]] {
			if !ends[at] {
				ends[at] = true
				queue = append(queue, at)
			}
		}
	}
	next := make([][]int, len(free))
	for at, leaves := range w.left {
		for _, edge := range leaves.edges {
			if i, j := at.state.Index, edge.to.state.Index; !free[i] && !free[j] {
				next[i] = append(next[i], j)
			}
		}
	}
	var stuck []Stuck
	for _, group := range scc.Closed(next) {
		s := w.machine.States[group[0]]
		if _, reached := w.first[s]; reached && !free[s.Index] {
			stuck = append(stuck, Stuck{States: w.machine.statesAt(group)})
		}
	}

	return stuck
}
