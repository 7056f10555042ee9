package flow

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// judge is the domain of the keys with which the agents of a machine finish. It records for each
// state which moves can be taken, and with which keys the machine ends in it.
type judge struct {
	interp.NoTasks[[]*finish]
	machine *Machine
	moves   map[*ir.Row]*Move
	// memory has a copy of each state for each combination of remembered values. It is nil where
	// each state is looked at once, whatever happened before.
	memory *memory
}

// The interpreter finds optional methods by a type assertion. The compiler checks them here.
var _ interp.Keyed[[]*finish] = (*judge)(nil)

// finish is how the agent of a state finishes in some runs. Before it has run, there is only the
// copy of the state.
type finish struct {
	*agentRun
	entered *State
	// out are the outcomes, and key is the only one of them, if its rows are tried.
	out Outcomes
	key string
	// failed are the rows of the key whose guards have failed.
	failed []*ir.Row
}

// hasNoKey reports whether an agent has run, and no key was chosen yet.
func (f *finish) hasNoKey() bool { return f.agentRun != nil && f.key == "" }

// agentRun is the run of the agent of a state.
type agentRun struct {
	state *State
	// remembers is what is remembered after the run, without that it has returned a value.
	remembers values
	// isKnown reports whether the keys of the agent are known, and isRouted whether one has a row.
	isKnown, isRouted bool
	// moves are copies of the moves that it can take. They are nil where states are not copied.
	moves map[*Move]*Move
}

// copyMove returns the copy of a move after the run.
func (r *agentRun) copyMove(move *Move) *Move {
	if r.moves[move] == nil {
		r.moves[move] = &Move{From: r.state, Row: move.Row, Ends: move.Ends, Dead: NoKey}
	}

	return r.moves[move]
}

// judgeStates finds which moves of each state can be taken, and with which keys the machine ends.
func (x *Machine) judgeStates() {
	w := &judge{machine: x, moves: x.movesByRow()}
	starts := func(*ir.Task, *ir.Machine) []*ir.State { return x.Machine.States }
	w.run(starts)
}

// run interprets the machine from some states.
func (w *judge) run(starts func(*ir.Task, *ir.Machine) []*ir.State) {
	x := w.machine
	run := interp.New(w, interp.Config{
		Target: x.p.guess.Target, Starts: starts, MaxSteps: func(*ir.Machine) int { return 0 },
	})
	begin := []*finish{{}}
	if x.Gate != nil {
		run.RunGate(x.Gate, begin)
	} else {
		run.RunAgentMachine(x.Machine, begin)
	}
}

// movesByRow returns the move of each row.
func (x *Machine) movesByRow() map[*ir.Row]*Move {
	of := map[*ir.Row]*Move{}
	for _, s := range x.States {
		for _, move := range s.Moves {
			if move.Row != nil {
				of[move.Row] = move
			}
		}
	}

	return of
}

// None returns no runs.
func (*judge) None() []*finish { return nil }

// IsNone reports whether there are no runs. After the search was given up, there are none.
func (w *judge) IsNone(in []*finish) bool { return len(in) == 0 || w.memory.isGivenUp() }

// Union returns the runs of both, in the memory of the first ones. A signal adds its key to the
// outcomes of an agent.
func (*judge) Union(a, b []*finish) []*finish {
	for _, f := range b {
		i := -1
		if f.hasNoKey() {
			i = slices.IndexFunc(a, func(other *finish) bool { return other.agentRun == f.agentRun && other.hasNoKey() })
		}
		if i >= 0 {
			a[i].out = a[i].out.merge(f.out, 0)
		} else {
			a = append(a, f)
		}
	}

	return a
}

// Fresh returns the runs: Take returns only those that have not been in a state.
func (*judge) Fresh(seen, in []*finish) (fresh, all []*finish) { return in, append(seen, in...) }

// Begin begins a machine.
func (w *judge) Begin(_ *ir.Task, _ *ir.Machine, in []*finish) []*finish {
	if w.memory != nil {
		_, in = w.memory.enter(w.machine.Start, values(make([]byte, len(w.memory.facts))))
	}

	return in
}

// Enter begins a state.
func (*judge) Enter(_ interp.Block, in []*finish) []interp.Entry[[]*finish] {
	return []interp.Entry[[]*finish]{{Start: in}}
}

// Leave returns the ends of a state.
func (*judge) Leave(
	_ interp.Block, _ []*finish, _ interp.Entry[[]*finish], inner interp.Ends[[]*finish],
) interp.Ends[[]*finish] {
	return inner
}

// RunState runs the agent of a state, once for each combination of what is remembered after it.
func (w *judge) RunState(at interp.StateVisit[[]*finish], in []*finish) (ends interp.Ends[[]*finish]) {
	x, s := w.machine, w.machine.stateOf[at.State]
	out := x.p.OutcomesIn(s.State)
	isKnown := !x.isDriven() && !x.Partial && s.Agent != nil && !out.IsNone()
	if w.memory == nil {
		ends.Done = []*finish{{agentRun: &agentRun{state: s, isKnown: isKnown}, out: out}}
		return ends
	}
	for _, before := range in {
		for _, run := range w.memory.runAgent(before.entered) {
			run.isKnown = isKnown
			ends.Done = append(ends.Done, &finish{agentRun: run, out: out})
		}
	}

	return ends
}

// FireSignal adds the key of a signal where those of the agent are known.
func (w *judge) FireSignal(_ interp.StateVisit[[]*finish], fired ir.KeySignal, in []*finish) []*finish {
	known := ir.Where(in, func(f *finish) bool { return f.isKnown })

	return ir.Map(known, func(f *finish) *finish {
		return &finish{agentRun: f.agentRun, out: Outcomes{p: w.machine.p}.withKey(fired.Key, f.out.Calls())}
	})
}

// SplitReturned splits nothing: the outcomes of an agent are those of its place.
func (*judge) SplitReturned(in []*finish, _ ir.ReturnKey) (returned, others []*finish) {
	return nil, in
}

// Return returns the same runs.
func (*judge) Return(in []*finish, _ ir.ReturnKey) []*finish { return in }

// SplitKey returns the runs that can have a key. All may have another one.
func (w *judge) SplitKey(in []*finish, key string) (with, others []*finish) {
	for _, f := range in {
		calls, can := f.out.callsFor(key)
		if can || !f.isKnown {
			f.isRouted = true
			with = append(with, &finish{agentRun: f.agentRun, key: key, out: Outcomes{p: w.machine.p}.withKey(key, calls)})
		}
	}

	return with, in
}

// Event lets the rows of a key be tried.
func (*judge) Event(_ interp.StateVisit[[]*finish], _ string, in []*finish) []*finish { return in }

// Choose returns the runs that take each row: the first one whose guard holds.
func (w *judge) Choose(c interp.Choice, in []*finish) interp.Chosen[[]*finish] {
	chosen := interp.Chosen[[]*finish]{Cases: make([][]*finish, c.Cases)}
	for _, f := range in {
		if f.key == "" {
			f = &finish{agentRun: f.agentRun, out: f.out.Unrouted(c.State)}
		}
		isRouted := f.isKnown && f.out.IsNone()
		switch {
		case isRouted: // each key has rows
		case c.Cases > 0 && w.isLimitAround(f):
			f.state.exits = f.state.exits.merge(f.out, 0)
		default:
			w.chooseRows(&chosen, f, c.Rows)
		}
	}

	return chosen
}

// isLimitAround reports whether runs finish with the key of a limit for which only a place around
// the machine could have a row.
func (w *judge) isLimitAround(f *finish) bool {
	return f.isKnown && f.out.isLimitAlone() && !w.machine.routesLimit
}

// isLimitAlone reports whether the key of a limit is the only outcome.
func (o Outcomes) isLimitAlone() bool { return o.Exhausts && o.HasNoKeys() && !o.Adapts() }

// chooseRows adds the runs of a finish to those of the rows that they can take. The rows of its key
// were tried before those of the catch-all.
func (w *judge) chooseRows(chosen *interp.Chosen[[]*finish], f *finish, rows []*ir.Row) {
	known, tried := w.knownNames(f), slices.Concat(f.failed, rows)
	outcomes := ChooseRow(tried, known)
	isKey := len(rows) > 0 && !rows[0].IsCatchAll()
	for i, row := range rows {
		switch {
		case outcomes.First[len(f.failed)+i]:
			chosen.Cases[i] = append(chosen.Cases[i], f)
		case isKey && w.memory == nil:
			w.moves[row].Dead = whyDead(rows, i, known)
		}
	}
	if outcomes.None {
		f.failed = tried
		chosen.Other = append(chosen.Other, f)
	}
}

// ChooseRow returns which of some rows can be the first whose guard holds.
func ChooseRow(rows []*ir.Row, known expr.Known) expr.Outcomes {
	if len(rows) > 0 && rows[0].When == nil { // the usual case
		first := make([]bool, len(rows))
		first[0] = true
		return expr.Outcomes{First: first}
	}

	return expr.Choose(ir.Map(rows, func(row *ir.Row) ir.Expression { return interp.GuardCondition(row.When) }), known)
}

// whyDead returns why the guard of a row of a key is never the first that holds.
func whyDead(rows []*ir.Row, i int, known expr.Known) Dead {
	if rows[0].When == nil {
		return Shadowed
	}
	if holds, _ := expr.Judge(interp.GuardCondition(rows[i].When), known); holds {
		return Shadowed
	}

	return NoGuard
}

// knownNames returns the known names after an agent has finished.
func (w *judge) knownNames(f *finish) expr.Known {
	var key expr.Known
	if f.key != "" {
		key = expr.KeyIs(f.key)
	}
	if w.memory == nil {
		return key
	}

	return w.memory.knownNames(f.agentRun, key)
}

// Take records that runs take a move, and enters its state with what is remembered by then.
func (w *judge) Take(at interp.StateVisit[[]*finish], move interp.Move, in []*finish) (next []*finish) {
	taken := w.moveOf(at.State, move)
	if taken == nil {
		return nil // only the run decides where it leads
	}
	for _, f := range in {
		if w.memory == nil {
			w.recordMove(f, taken, taken)
			continue
		}
		copied := f.copyMove(taken)
		w.recordMove(f, taken, copied)
		if copied.To == nil && taken.To != nil {
			var entered []*finish
			copied.To, entered = w.memory.enter(taken.To, w.memory.afterState(f.agentRun))
			next = append(next, entered...)
		}
	}

	return next
}

// moveOf returns the move that the interpreter takes from a state; nil for one that only the run
// decides.
func (w *judge) moveOf(s *ir.State, taken interp.Move) *Move {
	switch {
	case taken.Row != nil:
		return w.moves[taken.Row]
	case taken.Next != nil:
		return w.machine.stateOf[s].Moves[0] // the only one of an unconditional state
	}

	return nil
}

// recordMove records in a copy of a move that it is taken. The machine may end with the key before
// it.
func (w *judge) recordMove(f *finish, move, copied *Move) {
	calls := f.out.Calls()
	if copied.Dead != Alive || calls < copied.calls {
		copied.calls = calls
	}
	copied.Dead = Alive
	if w.machine.Gate == nil && move.leavesMachine() {
		f.state.exits = f.state.exits.merge(f.out, 0)
		f.state.ends = f.state.ends || f.out.IsNone()
	}
}

// leavesMachine reports whether a machine of agents ends when a move is taken.
func (m *Move) leavesMachine() bool {
	if m.Row != nil {
		return m.Row.EndsMachine()
	}

	return m.To != nil && m.To.IsMarker()
}

// Stop records that a gate ends in a state, or a machine: in a marker, or with the key of an agent.
func (w *judge) Stop(at interp.StateVisit[[]*finish], _ bool, in []*finish) []*finish {
	s := w.machine.stateOf[at.State]
	s.ends = s.ends || w.machine.Gate != nil
	for _, f := range in {
		if f.agentRun == nil {
			cmp.Or(f.entered, s).ends = true
			continue
		}
		f.state.ends = f.state.ends || !f.isKnown
		f.state.exits = f.state.exits.merge(f.out, 0)
	}

	return nil
}

// Stall records that no row may be taken.
func (w *judge) Stall(at interp.StateVisit[[]*finish], in []*finish) {
	if len(at.State.Rows) == 0 {
		return // a mistake
	}
	hasCatchAll := slices.ContainsFunc(at.State.Rows, (*ir.Row).IsCatchAll)
	for _, f := range in {
		switch {
		case f.key != "":
			f.state.perhapsNone = append(f.state.perhapsNone, f.key)
		case f.isKnown && !hasCatchAll:
			w.recordUnrouted(f)
		}
	}
}

// recordUnrouted records that an agent may finish without a row for its key.
func (w *judge) recordUnrouted(f *finish) {
	s, isAdapting := f.state, f.out.HasNoKeys()
	s.Unrouted = s.Unrouted || !f.isRouted || !isAdapting
	s.Beyond = s.Beyond || !f.isRouted && isAdapting && w.machine.p.canFinishUnbounded(s)
}

// canFinishUnbounded reports whether the machine in a state could finish with the key of a row if
// it had no bounds.
func (p *Program) canFinishUnbounded(s *State) bool {
	inner := p.machines[s.Agent.MachineOf()]

	return inner != nil && slices.ContainsFunc(s.Rows, func(row *ir.Row) bool { return inner.unbound.CanFinishWith(row.Key.Value) })
}

// Finish changes nothing: what was found is recorded for each state.
func (*judge) Finish(_ *ir.Task, _ *ir.Machine, ends interp.Ends[[]*finish]) interp.Ends[[]*finish] {
	return ends
}

func isExhausted(row *ir.Row) bool { return ir.FoldKey(row.Key.Value) == ir.ExhaustedKey }
