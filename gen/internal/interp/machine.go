package interp

import "github.com/agentc-dev/agentc/gen/internal/ir"

// runMachine runs a machine, step by step. Of the rows that have the event the first whose guard
// holds is taken. In a workflow they are tried in source order, those from "*" in their place, and
// then next_state. Without one, the machine ends in a state that has no rows, and else fails.
func (x *Interp[S]) runMachine(r *machineRun[S], in S) Ends[S] {
	t, m := r.task, r.machine
	r.Interp, r.table, r.ends = x, x.tableOf(m), x.noEnds()
	r.seen, r.indexes = map[*ir.State]S{}, map[*ir.State][]int{}
	starts, failed := x.findStarts(t, m, x.domain.Begin(t, m, in))
	r.ends = x.addFailed(r.ends, failed)
	for _, start := range starts {
		r.enterState(start.State, start.In)
	}
	for steps := 0; len(r.next) > 0; steps++ {
		if ends, ok := r.extrapolate(steps); ok {
			r.ends = x.join(r.ends, ends)
			break
		}
		visits := r.nextVisits()
		r.visits += len(visits)
		for _, v := range visits {
			r.visitState(v.state, v.runs, steps)
		}
	}

	return x.domain.Finish(t, m, r.ends)
}

// findStarts returns the initial states of a machine, and the runs that fail there.
func (x *Interp[S]) findStarts(t *ir.Task, m *ir.Machine, in S) (starts []Start[S], failed S) {
	if starter, decides := x.domain.(Starter[S]); decides {
		return starter.Starts(t, m, in)
	}
	starts = ir.Map(x.initialStates(t, m), func(s *ir.State) Start[S] { return Start[S]{s, in} })

	return starts, x.domain.None()
}

// stepLimit returns how many states a machine may run; 0 for no bound.
func (x *Interp[S]) stepLimit(m *ir.Machine) int {
	switch {
	case x.config.IgnoresBounds:
		return 0
	case x.config.MaxSteps != nil:
		return x.config.MaxSteps(m)
	}

	return m.MaxSteps
}

// initialStates returns the states in which a machine may begin.
func (x *Interp[S]) initialStates(t *ir.Task, m *ir.Machine) []*ir.State {
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
	// gate is the gate with the machine; nil for any other one.
	gate  *ir.Gate
	table *table
	ends  Ends[S]
	// seen are the runs that have been in each state.
	seen map[*ir.State]S
	// next are the visits of the next step, indexes are the indexes of each state in it, and visits
	// counts the visits of previous steps.
	next    []visit[S]
	indexes map[*ir.State][]int
	visits  int
	// inSource are the states of next, if visits are in source order.
	inSource sourceOrder
	// triedVisits is the number of visits at the last attempt to extrapolate.
	triedVisits int
}

// clearStep begins the next step.
func (r *machineRun[S]) clearStep() {
	r.next = nil
	clear(r.indexes)
}

// nextVisits returns the visits to run now. If the number of a step makes no difference, it is one
// visit: of the next state in source order, and after the last one of the first. So backward moves
// wait until all states ahead have been visited.
func (r *machineRun[S]) nextVisits() []visit[S] {
	if !r.config.IgnoresBounds {
		visits := r.next
		r.clearStep()
		return visits
	}
	s := r.machine.States[r.inSource.take()]

	return []visit[S]{r.removeVisit(s)}
}

// removeVisit removes the only visit of a state from those of the next step, and returns it.
func (r *machineRun[S]) removeVisit(s *ir.State) visit[S] {
	i, last := r.indexes[s][0], len(r.next)-1
	v, other := r.next[i], r.next[last]
	r.next[i], r.indexes[other.state] = other, []int{i}
	r.next = r.next[:last]
	delete(r.indexes, s)

	return v
}

// visit is a state of a machine with the runs that enter it in a step.
type visit[S any] struct {
	state *ir.State
	runs  S
}

// enterState records that runs enter a state in the next step. If visits are joined, only new runs
// enter it.
func (r *machineRun[S]) enterState(s *ir.State, in S) {
	isApart := r.config.MaxVisitsApart != nil
	if !isApart {
		in = r.takeUnseen(s, in)
	}
	if r.domain.IsNone(in) {
		return
	}
	places := r.indexes[s]
	for _, i := range places {
		fresh, all := r.domain.Fresh(r.next[i].runs, in)
		if !isApart || r.domain.IsNone(fresh) {
			r.next[i].runs = all
			return
		}
	}
	if len(places) > 0 && len(places) >= r.config.MaxVisitsApart(r.visits) {
		last := &r.next[places[len(places)-1]]
		last.runs = Join(r.domain, last.runs, in)
		return
	}
	r.indexes[s] = append(places, len(r.next))
	r.next = append(r.next, visit[S]{s, in})
	if r.config.IgnoresBounds {
		r.inSource.add(r.table.states[s])
	}
}

// takeUnseen returns the runs that have not been in a state, and records them.
func (r *machineRun[S]) takeUnseen(s *ir.State, in S) S {
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

// visitState runs a state that was entered after some steps, and follows its ends.
func (r *machineRun[S]) visitState(s *ir.State, in S, steps int) {
	most := r.stepLimit(r.machine)
	isBounded := most > 0
	switch {
	case r.isEnd(s) && isBounded && steps > most:
	case r.isEnd(s):
		at := StateVisit[S]{Task: r.task, Machine: r.machine, State: s, Entry: Entry[S]{Start: in}}
		r.endIn(at, in)
	case isBounded && steps >= most:
		r.ends = r.addFailed(r.ends, in)
		if r.config.LooksBeyondBounds {
			done := r.ends.Done
			r.runState(s, in, steps)
			r.ends.Done = done // nothing ends well beyond the bound
		}
	default:
		r.runState(s, in, steps)
	}
}

// endIn ends the machine in an end state, which may be a failure.
func (r *machineRun[S]) endIn(at StateVisit[S], in S) {
	stopped := r.domain.Stop(at, false, in)
	if at.State.Fails {
		r.ends = r.addFailed(r.ends, stopped)
		return
	}
	r.ends.Done = Join(r.domain, r.ends.Done, stopped)
}

// isEnd reports whether nothing runs in a state.
func (r *machineRun[S]) isEnd(s *ir.State) bool {
	return s.End || r.gate == nil && !r.hasSteps() && s.IsMarker()
}

// runState runs what is in a state, and follows its ends.
func (r *machineRun[S]) runState(s *ir.State, in S, steps int) {
	block := Block{Kind: State, Task: r.task, Body: s.Body, Turn: steps + 1, Machine: r.machine, State: s}
	for _, e := range r.domain.Enter(block, in) {
		at := StateVisit[S]{Task: r.task, Machine: r.machine, State: s, Entry: e}
		inner := r.domain.Leave(block, in, e, r.runBody(block, at))
		r.ends.Returned = Join(r.domain, r.ends.Returned, inner.Returned)
		r.ends.Noted = Join(r.domain, r.ends.Noted, inner.Noted)
		if !r.hasSteps() {
			r.ends = r.addFailed(r.ends, inner.Failed)
			r.followKeys(at, inner.Done)
			continue
		}
		r.followEvent(at, ir.OnPause, inner.Paused)
		r.followEvent(at, ir.OnFailure, inner.Failed)
		r.followEvent(at, ir.OnSuccess, inner.Done)
	}
}

// followEvent tries the rows of an event of a state with steps.
func (r *machineRun[S]) followEvent(at StateVisit[S], event string, in S) {
	if r.domain.IsNone(in) {
		return
	}
	missed := r.tryRows(at, event, in)
	switch event {
	case ir.OnFailure:
		r.ends = r.addFailed(r.ends, missed)
	case ir.OnSuccess:
		r.followNext(at, missed)
	}
}

// tryRows tries the rows of an event or a key, and returns the runs that take none.
func (r *machineRun[S]) tryRows(at StateVisit[S], event string, in S) (missed S) {
	if r.domain.IsNone(in) {
		return in
	}
	tried := r.table.routesOf(at.State).byEvent[event]
	if tried == nil {
		tried = &noRows
	}
	choice := Choice{
		Task: at.Task, Machine: at.Machine, State: at.State, Event: event,
		Rows: tried.rows, Conditions: tried.conditions, Cases: len(tried.rows),
	}
	chosen := r.domain.Choose(choice, r.domain.Event(at, event, in))
	r.ends = r.addFailed(r.ends, chosen.Blocked)
	for i, move := range tried.moves {
		r.takeMove(at, move, chosen.Cases[i])
	}

	return chosen.Other
}

// takeMove continues after a move.
func (r *machineRun[S]) takeMove(at StateVisit[S], move Move, in S) {
	if r.domain.IsNone(in) {
		return
	}
	if r.config.IsPossible != nil && !r.config.IsPossible(r.machine, at.State, move) {
		return
	}
	behind := r.domain.Take(at, move, in)
	switch {
	case r.finishes(move):
		r.ends.Done = Join(r.domain, r.ends.Done, r.domain.Stop(at, false, behind))
	case move.To != nil:
		r.enterState(move.To, behind)
	}
}

// takeAnyMove goes on to each state: it is not known which one follows.
func (r *machineRun[S]) takeAnyMove(at StateVisit[S], in S) {
	for _, to := range r.machine.States {
		r.takeMove(at, Move{To: to}, in)
	}
}

// followNext follows next_state if no row was taken.
func (r *machineRun[S]) followNext(at StateVisit[S], in S) {
	if r.domain.IsNone(in) {
		return
	}
	routes := r.table.routesOf(at.State)
	for _, move := range routes.next {
		r.takeMove(at, move, in)
	}
	if routes.leadsAnywhere {
		r.takeAnyMove(at, in)
	}
	switch {
	case routes.namesNext:
	case r.machine.HasNoRows(at.State):
		r.ends.Done = Join(r.domain, r.ends.Done, r.domain.Stop(at, true, in))
	default:
		r.domain.Stall(at, in)
		r.ends = r.addFailed(r.ends, in)
	}
}
