package flow

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// ofWorkflow finds out with which keys a workflow finishes.
func (p *Program) ofWorkflow(w *ir.Flow) Outcomes {
	o := Outcomes{p: p}
	if partial(w) {
		return o
	}
	calls := p.followValues(w)
	done, ends := p.OfWorkflow(w)
	if done {
		o = o.withKey(ir.DoneKey, calls)
	}
	for _, end := range ends {
		o = o.withKey(end.Value, calls)
	}

	return o
}

// followValues follows the values that conditions of a workflow read, and corrects by them what is
// known of its machines. It returns the fewest calls of models behind which the workflow ends; 0 where
// it does not, and where nothing is known of values.
func (p *Program) followValues(w *ir.Flow) (calls int) {
	if w.Partial || w.Body == nil {
		return 0
	}
	without := withLeft
	may, sure, ends := p.follow(w, without)
	for may.gaveUp || sure.gaveUp {
		switch {
		case len(may.variables) == 0:
			return 0
		case without == withLeft:
			without = withAll
		case without == withAll:
			without = 0
		default:
			without += (len(may.variables) + 1) / 2
		}
		may, sure, ends = p.follow(w, without)
	}
	for m, found := range may.machines {
		p.machines[m].correct(found, sure.machines[m])
	}
	p.noteConditionals(may)
	may.noteLeft(w, ends.possible)
	for t := range sure.entered {
		p.endless[t] = !sure.ended[t]
	}
	for t := range may.entered {
		p.doomed[t] = !may.ended[t]
	}
	p.without[w] = without
	switch {
	case len(ends.ok) > 0:
		p.endings[w] = EndsWell
		calls = slices.Min(slices.Collect(maps.Values(ends.ok)))
	case len(ends.possible) > 0:
		p.endings[w] = EndsByFailure
	default:
		p.endings[w] = NeverEnds
	}

	return calls
}

// workEnds are the values behind which a workflow ends: ok if nothing fails that need not, and possible in any run.
type workEnds struct{ ok, possible runs }

// follow follows the values of a workflow but for so many variables, those with the most values: may
// is what can happen, sure what can happen if nothing fails that need not.
func (p *Program) follow(w *ir.Flow, without int) (may, sure *paths, ends workEnds) {
	may, sure = p.pathsOf(w, anyFails, without), p.pathsOf(w, noneFails, without)
	ends.possible = may.run(w.Body).Done
	if may.gaveUp {
		return may, sure, ends
	}
	ends.ok = sure.run(w.Body).Done

	return may, sure, ends
}

// noteConditionals notes what is found of the branches of conditionals.
func (p *Program) noteConditionals(may *paths) {
	maps.Copy(p.missed, may.missed)
	maps.Copy(p.missing, may.missing)
	for t := range may.entered {
		do, isConditional := t.Do.(*ir.Branch)
		if !isConditional || may.arms[do] == nil {
			continue
		}
		for _, arm := range do.Branches {
			if !may.taken[arm] {
				p.untaken[arm] = true
			}
		}
	}
}

// correct takes over what is found when values are followed: may is what can happen, sure what can
// happen if nothing fails that need not.
func (x *Machine) correct(may, sure *machinePaths) {
	x.followed = true
	x.possible = may.finish()
	x.takeOver(x.possible, may.taken, NoWay)
	for _, s := range x.States {
		s.Stalls, s.Stops = may.stalls[s], may.stops[s]
	}
	if sure == nil {
		return
	}
	x.copies = sure.finish()
	for _, c := range x.copies.States {
		steps := c.Steps
		switch {
		case c.End:
		case sure.stopped[c]:
			steps++ // this state runs too
		default:
			continue
		}
		if x.Nearest == nil || steps < x.Steps {
			x.Nearest, x.Steps = c, steps
		}
	}
}

// OfWorkflow returns with which keys a workflow finishes: ends are the states in which the machine
// with which it ends can end, and done says that it can be the key done.
func (p *Program) OfWorkflow(w *ir.Flow) (done bool, ends []ir.Text) {
	ways := w.Body.LastTasks()
	for _, t := range ways {
		m, isMachine := t.Do.(*ir.Machine)
		if !isMachine {
			done = true
			continue
		}
		for _, s := range p.machines[m].States {
			if s.Reached && (s.End || s.Stops) {
				ends = append(ends, s.Name)
			}
		}
	}

	return done || len(ways) == 0, ends
}

// partial reports whether not all is known of how a workflow ends.
func partial(w *ir.Flow) bool {
	return slices.ContainsFunc(w.Body.LastTasks(), func(t *ir.Task) bool {
		m, isMachine := t.Do.(*ir.Machine)
		return t.Do == nil || isMachine && m.Partial
	})
}

// workMachine finds out what can happen in a machine of a workflow. Rows are tried in source order,
// those from "*" in their place, and the first that has the event and whose guard holds is taken;
// then next_state. Without one, the machine ends in a state that has no rows, and else fails.
func (p *Program) workMachine(m *ir.Machine) *Machine {
	x := p.newMachine(m)
	tried := x.tried()
	for _, s := range x.States {
		if !s.End {
			x.workMoves(s, tried(s.State))
		}
	}
	x.reach()

	return x
}

// tried returns a function that returns the rows of a state with those from "*", in source order,
// but for those from "*" behind one that is always taken.
func (x *Machine) tried() func(*ir.State) []*ir.Row {
	at := map[*ir.Row]int{}
	var all []*ir.Row
	always := map[string]bool{}
	for i, row := range x.Machine.Rows() {
		at[row] = i
		if !row.IsFromAny() {
			continue
		}
		x.fromAny = append(x.fromAny, row)
		if !always[row.Key.Value] {
			all = append(all, row)
			always[row.Key.Value] = row.When == nil
		}
	}

	return func(s *ir.State) []*ir.Row {
		rows := slices.Concat(s.Rows, all)
		slices.SortFunc(rows, func(a, b *ir.Row) int { return cmp.Compare(at[a], at[b]) })
		return rows
	}
}

// workMoves finds the moves of a state with steps.
func (x *Machine) workMoves(s *State, tried []*ir.Row) {
	s.Asks = asks(s.Body)
	for _, row := range tried {
		x.lead(&Move{From: s, Row: row, Dead: NoKey, Unless: row.IsFromAny() && row.Key.Value == ir.OnFailure}, row.To)
	}
	for _, event := range ir.Events {
		rows := slices.DeleteFunc(slices.Clone(s.Moves), func(move *Move) bool { return move.Row.Key.Value != event })
		if len(rows) > 0 && s.Brings(event) {
			x.choose(s, rows, nil, nil, func(move *Move) { move.Dead = Alive })
		}
	}
	on := func(move *Move) bool { return move.Row.Key.Value == ir.OnSuccess }
	if slices.ContainsFunc(s.Moves, on) && !s.PerhapsNone(ir.OnSuccess) {
		return
	}
	mayNameNone, isRowless := !interp.NamesNext(s.State, s.Body), x.Machine.HasNoRows(s.State)
	s.Stalls, s.Stops = mayNameNone && !isRowless, mayNameNone && isRowless
	s.ends = s.Stops
	s.Anywhere = s.Anywhere || s.NextOpen
	for _, ref := range s.State.Next {
		x.lead(&Move{From: s, Next: &ref}, ref)
	}
}

// Brings reports whether the steps of a state of a workflow can end with an event.
func (s *State) Brings(event string) bool {
	switch event {
	case ir.OnFailure:
		return slices.ContainsFunc(s.Body.Steps(), mayFailItself)
	case ir.OnPause:
		return s.Asks
	}

	return true
}
