package interp

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machine runs a machine, step by step. Of the rows that have the event the first whose guard holds is
// taken. In a workflow they are tried in source order, those from "*" in their place, and then
// next_state. Without one, the machine ends in a state that has no rows, and else fails.
func (x *Interp[S]) machine(t *ir.Task, m *ir.Machine, in S) Ends[S] {
	r := &machineRun[S]{
		Interp: x, task: t, machine: m, table: x.tableOf(m), ends: x.none(),
		seen: map[*ir.State]S{}, places: map[*ir.State][]int{},
	}
	starts, failed := x.starts(t, m, x.domain.Begin(t, m, in))
	r.ends = x.fail(r.ends, failed)
	for _, start := range starts {
		r.enter(start.State, start.In)
	}
	for steps := 0; len(r.next) > 0; steps++ {
		if ends, ok := r.extrapolate(steps); ok {
			r.ends = x.join(r.ends, ends)
			break
		}
		visits := r.takeVisits()
		r.visits += len(visits)
		for _, v := range visits {
			r.visit(v.state, v.found, steps)
		}
	}

	return x.domain.Finish(t, m, r.ends)
}

// starts returns the states in which a machine begins, and the runs that fail there.
func (x *Interp[S]) starts(t *ir.Task, m *ir.Machine, in S) (starts []Start[S], failed S) {
	if starter, decides := x.domain.(Starter[S]); decides {
		return starter.Starts(t, m, in)
	}
	starts = ir.Map(x.startsOf(t, m), func(s *ir.State) Start[S] { return Start[S]{s, in} })

	return starts, x.domain.None()
}

// mostSteps returns how many states a machine runs at most; 0: no bound.
func (x *Interp[S]) mostSteps(m *ir.Machine) int {
	switch {
	case x.config.IgnoresBounds:
		return 0
	case x.config.MostSteps != nil:
		return x.config.MostSteps(m)
	}

	return m.MaxSteps
}

// startsOf returns the states in which a machine may begin.
func (x *Interp[S]) startsOf(t *ir.Task, m *ir.Machine) []*ir.State {
	if x.config.Starts != nil {
		return x.config.Starts(t, m)
	}
	start := x.config.Target(m, m.Initial)
	if start == nil {
		return nil
	}

	return []*ir.State{start}
}

// machineRun is one run of a machine.
type machineRun[S any] struct {
	*Interp[S]
	task    *ir.Task
	machine *ir.Machine
	table   *table
	ends    Ends[S]
	// seen are the runs that have been in each state.
	seen map[*ir.State]S
	// next are the visits of the next step, places are where those of each state are among them, and
	// visits is how many there were in the steps before.
	next   []visit[S]
	places map[*ir.State][]int
	visits int
	// from is the place in the source of the next state to look at, where visits are in that order.
	from int
	// tried is how many visits there were when the rest was to be extrapolated last.
	tried int
}

// clear begins the next step.
func (r *machineRun[S]) clear() {
	r.next = nil
	clear(r.places)
}

// takeVisits returns the visits to look at now. Where the number of a step makes no difference, it is
// the one of the next state in source order, or again of the first one behind the last: what leads
// back waits until everything ahead has been looked at.
func (r *machineRun[S]) takeVisits() []visit[S] {
	visits := r.next
	r.clear()
	if !r.config.IgnoresBounds {
		return visits
	}
	slices.SortFunc(visits, func(a, b visit[S]) int { return r.table.states[a.state] - r.table.states[b.state] })
	taken := max(0, slices.IndexFunc(visits, func(v visit[S]) bool { return r.table.states[v.state] >= r.from }))
	v := visits[taken]
	r.from = r.table.states[v.state] + 1
	for i, other := range slices.Delete(visits, taken, taken+1) {
		r.next, r.places[other.state] = append(r.next, other), []int{i}
	}

	return []visit[S]{v}
}

// visit is a state of a machine with the runs that enter it in a step.
type visit[S any] struct {
	state *ir.State
	found S
}

// enter notes that runs enter a state in the next step. Of visits that are not apart, only the runs
// are looked at that have not been there.
func (r *machineRun[S]) enter(s *ir.State, in S) {
	isApart := r.config.Apart != nil
	if !isApart {
		in = r.unseen(s, in)
	}
	if r.domain.IsNone(in) {
		return
	}
	places := r.places[s]
	for _, i := range places {
		fresh, all := r.domain.Fresh(r.next[i].found, in)
		if !isApart || r.domain.IsNone(fresh) {
			r.next[i].found = all
			return
		}
	}
	if len(places) > 0 && len(places) >= r.config.Apart(r.visits) {
		last := &r.next[places[len(places)-1]]
		last.found = r.domain.Join(last.found, in)
		return
	}
	r.places[s] = append(places, len(r.next))
	r.next = append(r.next, visit[S]{s, in})
}

// unseen returns the runs that have not been in a state, and notes that they have.
func (r *machineRun[S]) unseen(s *ir.State, in S) S {
	seen, isSeen := r.seen[s]
	if !isSeen {
		seen = r.domain.None()
	}
	fresh, all := r.domain.Fresh(seen, in)
	if !r.domain.IsNone(fresh) {
		r.seen[s] = all
	}

	return fresh
}

// visit runs a state that was entered behind so many steps, and follows what comes of it.
func (r *machineRun[S]) visit(s *ir.State, in S, steps int) {
	most := r.mostSteps(r.machine)
	isBounded := most > 0
	switch {
	case r.isEnd(s) && isBounded && steps > most:
	case r.isEnd(s):
		at := At[S]{Task: r.task, Machine: r.machine, State: s, Entry: Entry[S]{Start: in}}
		r.ends.Done = r.domain.Join(r.ends.Done, r.domain.Stop(at, false, in))
	case isBounded && steps >= most:
		r.ends = r.fail(r.ends, in)
		if r.config.LooksBeyondBounds {
			done := r.ends.Done
			r.run(s, in, steps)
			r.ends.Done = done // nothing ends well beyond the bound
		}
	default:
		r.run(s, in, steps)
	}
}

// isEnd reports whether nothing runs in a state.
func (r *machineRun[S]) isEnd(s *ir.State) bool { return s.End || !r.hasSteps() && s.IsMarker() }

// run runs what is in a state, and follows what comes of it.
func (r *machineRun[S]) run(s *ir.State, in S, steps int) {
	block := Block{Kind: State, Task: r.task, Body: s.Body, Turn: steps + 1, Machine: r.machine, State: s}
	for _, e := range r.domain.Enter(block, in) {
		at := At[S]{Task: r.task, Machine: r.machine, State: s, Entry: e}
		inner := r.domain.Leave(block, in, e, r.inside(block, at))
		r.ends.Returned = r.domain.Join(r.ends.Returned, inner.Returned)
		r.ends.Noted = r.domain.Join(r.ends.Noted, inner.Noted)
		if !r.hasSteps() {
			r.ends = r.fail(r.ends, inner.Failed)
			r.followKeys(at, inner.Done)
			continue
		}
		r.follow(at, ir.OnPause, inner.Paused)
		r.follow(at, ir.OnFailure, inner.Failed)
		r.follow(at, ir.OnSuccess, inner.Done)
	}
}

// follow tries the rows of an event of a state with steps.
func (r *machineRun[S]) follow(at At[S], event string, in S) {
	if r.domain.IsNone(in) {
		return
	}
	missed := r.tryRows(at, event, in)
	switch event {
	case ir.OnFailure:
		r.ends = r.fail(r.ends, missed)
	case ir.OnSuccess:
		r.followNext(at, missed)
	}
}

// tryRows tries the rows of an event or a key, and returns the runs that take none.
func (r *machineRun[S]) tryRows(at At[S], event string, in S) (missed S) {
	if r.domain.IsNone(in) {
		return in
	}
	moves := r.table.of(at.State).on[event]
	rows := ir.Map(moves, func(move Move) *ir.Row { return move.Row })
	choice := Choice{
		Task: at.Task, Machine: at.Machine, State: at.State, Event: event, Rows: rows,
		Conditions: ir.Map(rows, func(row *ir.Row) ir.Expression { return Condition(row.When) }), Cases: len(rows),
	}
	chosen := r.domain.Choose(choice, r.domain.Event(at, event, in))
	r.ends = r.fail(r.ends, chosen.Blocked)
	for i, move := range moves {
		r.take(at, move, chosen.Cases[i])
	}

	return chosen.Other
}

// take goes on behind a move.
func (r *machineRun[S]) take(at At[S], move Move, in S) {
	if r.domain.IsNone(in) {
		return
	}
	if r.config.IsPossible != nil && !r.config.IsPossible(r.machine, at.State, move) {
		return
	}
	behind := r.domain.Take(at, move, in)
	switch {
	case move.To != nil:
		r.enter(move.To, behind)
	case move.Row != nil && move.Row.End:
		r.ends.Done = r.domain.Join(r.ends.Done, r.domain.Stop(at, false, behind))
	}
}

// takeAnyMove goes on to each state: it is not known which one follows.
func (r *machineRun[S]) takeAnyMove(at At[S], in S) {
	for _, to := range r.machine.States {
		r.take(at, Move{To: to}, in)
	}
}

// followNext follows next_state where no row was taken.
func (r *machineRun[S]) followNext(at At[S], in S) {
	if r.domain.IsNone(in) {
		return
	}
	routes := r.table.of(at.State)
	for _, move := range routes.next {
		r.take(at, move, in)
	}
	if routes.leadsAnywhere {
		r.takeAnyMove(at, in)
	}
	switch {
	case routes.namesNext:
	case r.machine.HasNoRows(at.State):
		r.ends.Done = r.domain.Join(r.ends.Done, r.domain.Stop(at, true, in))
	default:
		r.domain.Stall(at, in)
		r.ends = r.fail(r.ends, in)
	}
}
