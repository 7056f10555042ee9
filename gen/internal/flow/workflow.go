package flow

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workflowOutcomes finds with which keys a workflow finishes.
func (p *Program) workflowOutcomes(w *ir.Flow) Outcomes {
	o := Outcomes{p: p}
	if isPartial(w) {
		return o
	}
	calls := p.followValues(w)
	done, ends := p.WorkflowKeys(w)
	if done {
		o = o.withKey(ir.DoneKey, calls)
	}
	for _, end := range ends {
		o = o.withKey(end.Value, calls)
	}

	return o
}

// followValues follows the values that conditions of a workflow read, and updates its machines. It
// returns the fewest calls of models before the workflow ends; 0 if it does not end, or values are
// not known.
func (p *Program) followValues(w *ir.Flow) (calls int) {
	if w.Partial || w.Body == nil {
		return 0
	}
	without := withLeft
	may, sure, ends := p.followBoth(w, without)
	for may.hasGivenUp || sure.hasGivenUp {
		switch {
		case len(may.variables) == 0:
			return 0
		case without == withLeft:
			without = withInputs
		case without == withInputs:
			without = 0
		default:
			without += (len(may.variables) + 1) / 2
		}
		may, sure, ends = p.followBoth(w, without)
	}
	for m, found := range may.machines {
		p.machines[m].applyPaths(found, sure.machines[m])
	}
	p.recordConditionals(may)
	may.recordLeft(w, ends.possible)
	for t := range sure.entered {
		p.endless[t] = !sure.ended[t] && !sure.left[t]
	}
	ir.WalkTasks(w.Body, func(t *ir.Task) { p.neverBegins[t] = !may.entered[t] })
	for t := range may.entered {
		p.neverEnding[t] = !may.ended[t] && !may.left[t]
	}
	p.leftOut[w] = without
	p.neverFails[w] = len(ends.failed) == 0
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

// workEnds are the values at the end of a workflow: ok without avoidable failures, and possible in
// any run. failed are the values of runs that fail.
type workEnds struct{ ok, possible, failed runs }

// followBoth follows the values of a workflow without the variables with the most values: may is
// what can happen, sure what can happen without avoidable failures.
func (p *Program) followBoth(w *ir.Flow, without int) (may, sure *paths, ends workEnds) {
	may, sure = p.newPaths(w, anyFails, without), p.newPaths(w, noneFails, without)
	all := may.followWorkflow(w.Body)
	ends.possible, ends.failed = all.Done, all.Failed
	if may.hasGivenUp {
		return may, sure, ends
	}
	ends.ok = sure.followWorkflow(w.Body).Done

	return may, sure, ends
}

// recordConditionals records the results for branches of conditionals and how loops are decided.
func (p *Program) recordConditionals(may *paths) {
	maps.Copy(p.missed, may.missed)
	maps.Copy(p.missing, may.missing)
	maps.Copy(p.exits, may.exits)
	maps.Copy(p.lengths, may.lengths)
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
		p.untakenDefaults[do] = do.Default != nil && !may.takenDefaults[do]
	}
}

// applyPaths adopts the results of followed values: may is what can happen, sure what can happen
// without avoidable failures.
func (x *Machine) applyPaths(may, sure *machinePaths) {
	x.followsValues = true
	x.possible = may.finish()
	x.adoptCopies(x.possible, may.taken, NoWay)
	for _, s := range x.States {
		s.Stalls, s.Stops = may.stalls[s], may.stops[s]
		s.neverFails = s.Reached && !may.failed[s]
		if may.answered[s] && !may.well[s] {
			s.findLeavingQuestion(x.Machine)
		}
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

// WorkflowKeys returns with which keys a workflow finishes: ends are the possible end states of its
// last machine, and done reports whether it can be the key done.
func (p *Program) WorkflowKeys(w *ir.Flow) (done bool, ends []ir.Text) {
	ways := w.FinalSteps()
	for _, t := range ways {
		m, isMachine := t.Do.(*ir.Machine)
		if !isMachine {
			done = true
			continue
		}
		for _, s := range p.machines[m].States {
			if s.Reached && !s.Fails && (s.End || s.Stops) {
				ends = append(ends, s.Name)
			}
		}
	}

	return done || len(ways) == 0, ends
}

// isPartial reports whether not everything is known of how a workflow ends.
func isPartial(w *ir.Flow) bool {
	return slices.ContainsFunc(w.FinalSteps(), func(t *ir.Task) bool {
		m, isMachine := t.Do.(*ir.Machine)
		return t.Do == nil || isMachine && m.Partial
	})
}

// analyzeWorkflowMachine finds what can happen in a machine of a workflow. Rows are tried in source
// order, including rows from "*". The first row with the event whose guard holds is taken. Then
// next_state decides. Without it, the machine ends in a state without rows, and fails in any other.
func (p *Program) analyzeWorkflowMachine(w *ir.Flow, m *ir.Machine) *Machine {
	x := p.newMachine(m)
	x.isNamedByStep = x.Start != nil && namesInitialState(w)
	tried := x.rowOrder()
	for _, s := range x.States {
		if !s.End {
			x.findMoves(s, tried(s.State))
		}
	}
	x.findReached()

	return x
}

// rowOrder returns a function for the rows of a state with those from "*", in source order, without
// rows from "*" after one that is always taken.
func (x *Machine) rowOrder() func(*ir.State) []*ir.Row {
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

// findMoves finds the moves of a state with steps.
func (x *Machine) findMoves(s *State, tried []*ir.Row) {
	s.Asks = asksPerson(s.Body)
	for _, row := range tried {
		x.addMove(&Move{From: s, Row: row, Dead: NoKey, Unless: row.IsFromAny() && row.Key.Value == ir.OnFailure}, row.To)
	}
	for _, event := range ir.Events {
		rows := slices.DeleteFunc(slices.Clone(s.Moves), func(move *Move) bool { return move.Row.Key.Value != event })
		if len(rows) > 0 && s.CanEndWith(event) {
			s.chooseMoves(rows)
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
		x.addMove(&Move{From: s, Next: &ref}, ref)
	}
}

// chooseMoves finds which of the rows of an event can be taken.
func (s *State) chooseMoves(moves []*Move) {
	rows := ir.Map(moves, func(move *Move) *ir.Row { return move.Row })
	outcomes := ChooseRow(rows, nil)
	for i, move := range moves {
		move.Dead = Alive
		if !outcomes.First[i] {
			move.Dead = whyDead(rows, i, nil)
		}
	}
	if outcomes.None {
		s.perhapsNone = append(s.perhapsNone, rows[0].Key.Value)
	}
}

// CanEndWith reports whether the steps of a state of a workflow can end with an event.
func (s *State) CanEndWith(event string) bool {
	switch event {
	case ir.OnFailure:
		return !s.neverFails && slices.ContainsFunc(s.Body.Steps(), mayFailItself)
	case ir.OnPause:
		return s.Asks
	}

	return s.LeavingQuestion == nil
}

// markFirstMachines marks the machines of steps that may be the first one of a run: those before
// and in the first step that is a machine.
func (p *Program) markFirstMachines(body *ir.Pipeline) {
	for _, t := range body.Steps() {
		if m, isMachine := t.Do.(*ir.Machine); isMachine {
			p.machines[m].BeginsAnywhere = true
			return
		}
		for by := t; by != nil; by = by.Fallback {
			for _, inside := range by.Pipelines() {
				p.markFirstMachines(inside)
			}
		}
	}
}

// namesInitialState reports whether a step of a workflow writes current_state, in which the next
// machine begins.
func namesInitialState(w *ir.Flow) bool {
	names := false
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		names = names || slices.ContainsFunc(t.ContextWrites(), func(w ir.ContextWrite) bool {
			switch {
			case w.Path == nil:
				return false // only a run knows what it writes
			case w.Path.IsRouting():
				return w.Path.Path[0].Value == ir.CurrentState
			}
			isWhole := w.Merge && len(w.Path.Path) == 0
			hasField := w.Value != nil && ir.FieldOf(w.Value.Fields, ir.CurrentState) != nil
			return isWhole && (hasField || w.Schema.Property(ir.CurrentState) != nil)
		})
	})

	return names
}
