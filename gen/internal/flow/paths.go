package flow

import (
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// maxPaths bounds how many combinations of values are followed; beyond them nothing is known of
// values.
const maxPaths = 4096

// paths follows the values of variables through a workflow: which combinations of them a step can
// find, and which it leaves.
type paths struct {
	p         *Program
	variables []*variable
	byName    map[string]int
	// initial are the values that variables have at the beginning.
	initial []set
	// arms are the conditions of the branches of conditionals.
	arms map[*ir.Conditional][]ir.Expression
	// writing says that variables are made.
	writing bool
	// broken says that agents and built-in functions may fail: without it, only that fails which has
	// no other way, and what other code does.
	broken bool
	gaveUp bool
	count  int
	// paused is what the values are where a person is asked.
	paused runs
	// ended and entered are the tasks that have ended well, and that have begun.
	ended, entered map[*ir.Task]bool
	machines       map[*ir.Machine]*walked
}

// runs are values with the fewest calls of models behind which they are there.
type runs map[values]int

// result is how steps end: well, or with a failure.
type result struct{ ok, failed runs }

func (r runs) add(e values, calls int) bool {
	known, isKnown := r[e]
	if !isKnown || calls < known {
		r[e] = calls
	}

	return !isKnown || calls < known
}

func (r runs) addAll(others runs, calls int) {
	for e, c := range others {
		r.add(e, min(never, c+calls))
	}
}

func (p *Program) pathsOf(w *ir.Workflow, broken bool) *paths {
	x := &paths{
		p: p, byName: map[string]int{}, arms: map[*ir.Conditional][]ir.Expression{}, broken: broken, paused: runs{},
		ended: map[*ir.Task]bool{}, entered: map[*ir.Task]bool{}, machines: map[*ir.Machine]*walked{},
	}
	x.variablesOf(w)

	return x
}

// start are the values at the beginning.
func (x *paths) start() values {
	e := values(make([]byte, 8*len(x.variables)))
	for i, s := range x.initial {
		e = e.with(i, s)
	}

	return e
}

func (x *paths) steps(p *ir.Pipeline, in runs) result {
	r := result{in, runs{}}
	if p == nil {
		return r
	}
	for _, t := range p.Tasks {
		next := x.task(t, r.ok)
		next.failed.addAll(r.failed, 0)
		r = next
	}

	return r
}

// task runs a task with what stands in for it.
func (x *paths) task(t *ir.Task, in runs) result {
	if len(in) == 0 {
		return result{runs{}, runs{}}
	}
	x.entered[t] = true
	r := x.work(t, in)
	for range min(t.Retries, 3) {
		again := x.work(t, r.failed)
		r.ok.addAll(again.ok, 0)
		r.failed.addAll(again.failed, 0)
	}
	if t.Fallback != nil {
		other := x.task(t.Fallback, r.failed)
		r.ok.addAll(other.ok, 0)
		r.failed = other.failed
	}
	ok := runs{}
	for e, calls := range r.ok {
		for _, e := range x.together(t, x.written(t, e)) {
			ok.add(e, calls)
		}
	}
	x.ended[t] = x.ended[t] || len(ok) > 0
	if x.count += len(ok); x.count > maxPaths*len(x.ended) {
		x.gaveUp = true
	}

	return result{ok, r.failed}
}

// work does what a task does, but for what it writes itself.
func (x *paths) work(t *ir.Task, in runs) result {
	r := result{runs{}, runs{}}
	if x.gaveUp {
		return r
	}
	switch do := t.Do.(type) {
	case *ir.Conditional:
		return x.conditional(do, in)
	case *ir.Repeat:
		return x.repeat(do, in)
	case *ir.Each:
		r.ok.addAll(in, 0)
		for turn := in; len(turn) > 0; {
			next := x.steps(do.Body, turn)
			r.failed.addAll(next.failed, 0)
			turn = r.ok.fresh(next.ok)
		}
	case *ir.Fork:
		return x.fork(do, in)
	case *ir.Machine:
		for e, calls := range in {
			once := x.machine(do, e)
			r.ok.addAll(once.ok, calls)
			r.failed.addAll(once.failed, calls)
		}
	default:
		r.ok.addAll(in, x.p.callsOfStep(t))
		if x.mayFail(t) {
			r.failed.addAll(in, 0)
		}
		if taskAsks(t) {
			x.paused.addAll(in, 0)
		}
	}

	return r
}

// mayFail reports whether a task may fail that has no steps inside.
func (x *paths) mayFail(t *ir.Task) bool {
	switch do := t.Do.(type) {
	case *ir.UseFunc, *ir.Import:
		return true
	case *ir.PassOn:
		return false
	case *ir.Run:
		return x.broken || do.Agent != nil
	}

	return x.broken
}

// fresh adds runs to r and returns those that were not there.
func (r runs) fresh(others runs) runs {
	found := runs{}
	for e, calls := range others {
		if r.add(e, calls) {
			found[e] = calls
		}
	}

	return found
}

func (x *paths) conditional(do *ir.Conditional, in runs) result {
	r := result{runs{}, runs{}}
	arms := make([]runs, len(do.Branches)+1)
	for i := range arms {
		arms[i] = runs{}
	}
	for e, calls := range in {
		if x.arms[do] == nil {
			for _, arm := range arms {
				arm.add(e, calls)
			}
			continue
		}
		x.choose(e, x.arms[do], func(i int, e values) { arms[i].add(e, calls) })
	}
	for i, arm := range do.Branches {
		branch := x.steps(arm.Body, arms[i])
		r.ok.addAll(branch.ok, 0)
		r.failed.addAll(branch.failed, 0)
	}
	if do.Default == nil {
		r.failed.addAll(arms[len(do.Branches)], 0)
		return r
	}
	branch := x.steps(do.Default, arms[len(do.Branches)])
	r.ok.addAll(branch.ok, 0)
	r.failed.addAll(branch.failed, 0)

	return r
}

func (x *paths) repeat(do *ir.Repeat, in runs) result {
	r := result{runs{}, runs{}}
	seen := runs{}
	turn := in
	for n := 0; n < do.Max && len(turn) > 0; n++ {
		body := x.steps(do.Body, turn)
		r.failed.addAll(body.failed, 0)
		turn = runs{}
		for e, calls := range body.ok {
			switch {
			case do.Exit == nil || do.Exit.Root == nil:
				turn.add(e, calls)
				if do.Func != nil {
					r.ok.add(e, calls)
				}
			default:
				x.choose(e, []ir.Expression{do.Exit.Root}, func(i int, e values) {
					if i == 0 {
						r.ok.add(e, calls)
					} else {
						turn.add(e, calls)
					}
				})
			}
		}
		r.failed.addAll(turn, 0)
		turn = seen.fresh(turn)
	}

	return r
}

// fork runs branches side by side: each finds what was there before, and what each changes is there
// behind them.
func (x *paths) fork(do *ir.Fork, in runs) result {
	r := result{runs{}, runs{}}
	for e, calls := range in {
		all := runs{e: calls}
		for _, arm := range do.Branches {
			branch := x.steps(arm.Body, runs{e: 0})
			r.failed.addAll(branch.failed, calls)
			if do.Ignore {
				branch.ok.addAll(branch.failed, 0)
			}
			joined := runs{}
			for before, calls := range all {
				for after, more := range branch.ok {
					joined.add(x.joined(e, before, after, do.Merge), min(never, calls+more))
				}
			}
			all = joined
		}
		r.ok.addAll(all, 0)
	}

	return r
}

// joined are the values behind a branch that has left others than it found, where branches before it
// have left some too.
func (x *paths) joined(found, before, after values, merge ir.Merge) values {
	for i, v := range x.variables {
		if after.at(i) == found.at(i) || v.access.Root == ir.RootContext && merge == ir.MergeNone {
			continue
		}
		switch {
		case before.at(i) == found.at(i):
			before = before.with(i, after.at(i))
		default:
			before = before.with(i, before.at(i)|after.at(i))
		}
	}

	return before
}

// choose says which of some conditions, tried one after the other, is the first that holds: found is
// called with its number, or with their number if none holds, and with the values with which it is
// so.
func (x *paths) choose(e values, conditions []ir.Expression, found func(i int, e values)) {
	var read []int
	for _, condition := range conditions {
		ir.WalkExpression(condition, func(at ir.Expression) {
			access, isName := at.(*ir.Access)
			if !isName {
				return
			}
			if i, known := x.byName[expr.NameOf(access)]; known && !slices.Contains(read, i) {
				read = append(read, i)
			}
		})
	}
	for _, e := range x.split(e, read) {
		known := func(access *ir.Access) (any, bool) {
			i, isKnown := x.byName[expr.NameOf(access)]
			if !isKnown {
				return nil, false
			}
			s := e.at(i)
			return x.variables[i].values[slices.Index(x.variables[i].bits(), s)], true
		}
		first, none, ok := expr.Choose(conditions, known)
		for i := range conditions {
			if !ok || first[i] {
				found(i, e)
			}
		}
		if !ok || none {
			found(len(conditions), e)
		}
	}
}

// bits are the sets of one value each.
func (v *variable) bits() []set {
	var all []set
	for i := range v.values {
		all = append(all, 1<<i)
	}

	return all
}

// split returns values with one value of each of some variables.
func (x *paths) split(e values, variables []int) []values {
	all := []values{e}
	for _, i := range variables {
		var next []values
		for _, e := range all {
			for _, bit := range x.variables[i].bits() {
				if e.at(i)&bit != 0 {
					next = append(next, e.with(i, bit))
				}
			}
		}
		all = next
	}
	if x.count += len(all); len(all) > maxPaths {
		x.gaveUp = true
		return nil
	}

	return all
}

// walked is what is found in a machine.
type walked struct {
	machine *Machine
	reached map[*State]bool
	taken   map[*Move]bool
	stalls  map[*State]bool
	// steps are the fewest to an end, 0 where there is none; nearest is where that is.
	steps   int
	nearest *State
	// bodies are what the steps of states leave, and next where each place leads.
	bodies map[place]*left
	next   map[place]map[place]bool
	free   map[place]bool
	// well are the states whose steps can end well.
	well map[*State]bool
	// first are the places in which states are reached first, and by are the moves that lead to places.
	first map[*State]place
	by    map[place]arrival
}

// arrival is a move from a place, behind so many states; nil where only the run decides what follows.
type arrival struct {
	from  place
	move  *Move
	steps int
}

// place is a state with the values that its steps find.
type place struct {
	state *State
	values
}

// left is what the steps of a state leave.
type left struct{ ok, failed, paused runs }

func (x *paths) machine(m *ir.Machine, e values) result {
	w := x.machines[m]
	if w == nil {
		w = &walked{
			machine: x.p.machines[m], reached: map[*State]bool{}, taken: map[*Move]bool{}, stalls: map[*State]bool{},
			bodies: map[place]*left{}, next: map[place]map[place]bool{}, free: map[place]bool{}, well: map[*State]bool{},
			first: map[*State]place{}, by: map[place]arrival{},
		}
		x.machines[m] = w
	}
	r := result{runs{}, runs{}}
	if w.machine.Start == nil || w.machine.Partial {
		x.gaveUp = true
		return r
	}
	least := map[place]int{}
	begin := place{w.machine.Start, e}
	frontier := map[place]int{begin: 0}
	w.arrive(begin, arrival{})
	for steps := 0; len(frontier) > 0 && !x.gaveUp; steps++ {
		next := map[place]int{}
		for at, calls := range frontier {
			if at.state.End {
				w.ends(at, steps)
				if m.MaxSteps == 0 || steps <= m.MaxSteps {
					r.ok.add(at.values, calls)
				}
				continue
			}
			if m.MaxSteps > 0 && steps >= m.MaxSteps {
				r.failed.add(at.values, calls)
			}
			x.leave(w, at, func(move *Move, to *State, e values, more int) {
				follows := place{to, e}
				w.next[at][follows] = true
				w.arrive(follows, arrival{at, move, steps + 1})
				if known, isKnown := least[follows]; !isKnown || calls+more < known {
					least[follows] = calls + more
					if known, isKnown := next[follows]; !isKnown || calls+more < known {
						next[follows] = calls + more
					}
				}
			}, func(e values, more int) { r.failed.add(e, calls+more) })
		}
		frontier = next
	}

	return r
}

// arrive notes how a place is reached first.
func (w *walked) arrive(at place, by arrival) {
	if _, known := w.by[at]; known {
		return
	}
	w.by[at] = by
	if !w.reached[at.state] {
		w.reached[at.state], w.first[at.state] = true, at
	}
}

// pathTo returns the moves of the shortest path to a state; nil where it has a step of which only
// the run decides.
func (w *walked) pathTo(s *State) []*Move {
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

// ends notes that the machine ends behind so many states.
func (w *walked) ends(at place, steps int) {
	w.free[at] = true
	if w.nearest == nil || steps < w.steps {
		w.nearest, w.steps = at.state, steps
	}
}

// leave runs the steps of a state, and calls to for each state that follows and fails where none does.
func (x *paths) leave(w *walked, at place, to func(*Move, *State, values, int), fails func(values, int)) {
	if w.next[at] == nil {
		w.next[at] = map[place]bool{}
	}
	body := w.bodies[at]
	if body == nil {
		around := x.paused
		x.paused = runs{}
		r := x.steps(at.state.Body, runs{at.values: 0})
		body = &left{r.ok, r.failed, x.paused}
		w.bodies[at] = body
		w.well[at.state] = w.well[at.state] || len(r.ok) > 0
		x.paused = around
	}
	x.follow(w, at, ir.OnPause, body.paused, to, fails)
	x.follow(w, at, ir.OnFailure, body.failed, to, fails)
	x.follow(w, at, ir.OnSuccess, body.ok, to, fails)
}

// follow takes the rows for an event.
func (x *paths) follow(w *walked, at place, event string, ends runs, to func(*Move, *State, values, int), fails func(values, int)) {
	var rows []*Move
	var conditions []ir.Expression
	for _, move := range at.state.Moves {
		if move.Row != nil && move.Row.Key.Value == event && move.Dead == Alive && (x.broken || !move.Unless) {
			rows = append(rows, move)
			conditions = append(conditions, condition(move.Row.When, at.state.Index+len(conditions)))
		}
	}
	for e, calls := range ends {
		x.choose(e, conditions, func(i int, e values) {
			switch {
			case i < len(rows):
				w.taken[rows[i]] = true
				if rows[i].To != nil {
					to(rows[i], rows[i].To, e, calls)
				}
			case event == ir.OnFailure:
				fails(e, calls)
			case event == ir.OnSuccess:
				x.named(w, at, e, calls, to, fails)
			}
		})
	}
}

// named follows next_state.
func (x *paths) named(w *walked, at place, e values, calls int, to func(*Move, *State, values, int), fails func(values, int)) {
	for _, move := range at.state.Moves {
		if move.Next != nil && move.To != nil {
			w.taken[move] = true
			to(move, move.To, e, calls)
		}
	}
	if at.state.Anywhere {
		for _, s := range w.machine.States {
			to(nil, s, e, calls)
		}
	}
	if at.state.Stalls {
		w.stalls[at.state] = true
		if slices.ContainsFunc(at.state.Moves, func(move *Move) bool {
			return move.leads() && (move.Row == nil || move.Row.Key.Value == ir.OnSuccess)
		}) {
			w.free[at] = true
		}
		fails(e, calls)
	}
}

// stuck returns the groups of states that lead to each other and from which the machine reaches no
// end, whatever the values are with which it is there.
func (w *walked) stuck() []Stuck {
	from := map[place][]place{}
	var queue []place
	ends := maps.Clone(w.free)
	for at, next := range w.next {
		if !w.well[at.state] {
			ends[at] = true // it is not for the machine to say why the steps never end well
		}
		for to := range next {
			from[to] = append(from[to], at)
		}
	}
	for at := range ends {
		queue = append(queue, at)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, at := range from[queue[0]] {
			if !ends[at] {
				ends[at] = true
				queue = append(queue, at)
			}
		}
	}
	free := make([]bool, len(w.machine.States))
	for at := range ends {
		free[at.state.Index] = true
	}
	next := make([][]int, len(free))
	for at := range w.next {
		for to := range w.next[at] {
			if i, j := at.state.Index, to.state.Index; !free[i] && !free[j] && !slices.Contains(next[i], j) {
				next[i] = append(next[i], j)
			}
		}
	}
	var stuck []Stuck
	for _, group := range closed(next) {
		if s := w.machine.States[group[0]]; w.reached[s] && !free[s.Index] {
			stuck = append(stuck, Stuck{States: w.machine.statesAt(group)})
		}
	}

	return stuck
}
