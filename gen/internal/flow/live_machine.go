package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// liveMachine has the live variables in a machine.
type liveMachine struct {
	*liveness
	machine *ir.Machine
	behind  liveAround
	states  map[*ir.State]*liveState
	// fromAny are the successors of every state.
	fromAny liveSuccessors
	// everywhere is live if a state is entered that only the run knows. shared is live before the
	// rows of fromAny. Both are results of the previous sweep.
	everywhere *big.Int
	shared     liveAround
}

// liveState has the live variables in a state of a machine.
type liveState struct {
	// effect is the effect of its steps, and entered are the live variables before them.
	effect
	entered *big.Int
	liveSuccessors
}

// liveSuccessors are the rows after steps: well after steps that have ended well, and aside all
// others.
type liveSuccessors struct{ well, aside liveRows }

// liveRows are the variables that rows read, and the possible next states. isAnywhere is set if
// only the run knows the next state.
type liveRows struct {
	read       *big.Int
	to         []*ir.State
	isAnywhere bool
}

func newSuccessors() liveSuccessors {
	return liveSuccessors{well: liveRows{read: new(big.Int)}, aside: liveRows{read: new(big.Int)}}
}

// machineEffect returns the effect of a machine.
func (l *liveness) machineEffect(m *ir.Machine) effect {
	live := l.analyzeMachine(m, liveAround{done: new(big.Int), aside: new(big.Int)})
	starts := l.x.p.assumedStarts(nil, m)
	if len(starts) == 0 {
		return effect{live.everywhere, new(big.Int)}
	}
	read := new(big.Int)
	for _, s := range starts {
		read.Or(read, live.states[s].entered)
	}

	return effect{read, new(big.Int)}
}

// markMachine records the live variables in the states of a machine.
func (l *liveness) markMachine(m *ir.Machine, behind liveAround) {
	live := l.analyzeMachine(m, behind)
	for _, s := range m.States {
		l.liveAtEntry[s] = live.states[s].entered
		l.markBody(s.Body, live.aroundState(s))
	}
}

// analyzeMachine finds the live variables in a machine.
func (l *liveness) analyzeMachine(m *ir.Machine, behind liveAround) *liveMachine {
	x := &liveMachine{
		liveness: l, machine: m, behind: behind, states: map[*ir.State]*liveState{}, fromAny: newSuccessors(),
		everywhere: new(big.Int), shared: liveAround{new(big.Int), new(big.Int)},
	}
	for _, s := range m.States {
		x.states[s] = &liveState{effect: l.bodyEffect(s.Body), entered: new(big.Int), liveSuccessors: newSuccessors()}
		x.addNext(s)
	}
	for _, row := range m.Rows() {
		x.addRow(row)
	}
	for x.sweep() {
	}

	return x
}

// addRow adds a row to the successors of its states.
func (x *liveMachine) addRow(row *ir.Row) {
	ways := &x.fromAny
	if !row.IsFromAny() {
		from := x.states[row.From.State]
		if from == nil {
			return // a mistake
		}
		ways = &from.liveSuccessors
	}
	rows := &ways.aside
	if row.Key.Value == ir.OnSuccess {
		rows = &ways.well
	}
	read := x.conditionReads(interp.GuardCondition(row.When))
	rows.read.Or(rows.read, read)
	x.addTarget(rows, row.To)
	if rows.isAnywhere {
		ways.well.isAnywhere = true // the target of any step is then not known
	}
}

// addNext adds the states that the steps of a state may name.
func (x *liveMachine) addNext(s *ir.State) {
	next := &x.states[s].well
	for _, ref := range s.Next {
		x.addTarget(next, ref)
	}
	next.isAnywhere = next.isAnywhere || s.NextOpen
}

// addTarget adds the state of a reference.
func (x *liveMachine) addTarget(rows *liveRows, ref ir.Ref) {
	to := x.x.p.guess.Target(x.machine, ref)
	if to == nil {
		rows.isAnywhere = true
	} else {
		rows.to = append(rows.to, to)
	}
}

// sweep updates each state once, from the last one to the first, and reports whether more variables
// are live.
func (x *liveMachine) sweep() (hasGrown bool) {
	for _, s := range x.machine.States {
		x.everywhere.Or(x.everywhere, x.states[s].entered)
	}
	x.shared = liveAround{x.liveBeforeRows(x.fromAny.well), x.liveBeforeRows(x.fromAny.aside)}
	for _, s := range slices.Backward(x.machine.States) {
		state := x.states[s]
		entered := state.liveBefore(x.aroundState(s))
		hasGrown = hasGrown || entered.Cmp(state.entered) != 0
		state.entered = entered
	}

	return hasGrown
}

// aroundState returns the live variables after the steps of a state.
func (x *liveMachine) aroundState(s *ir.State) liveAround {
	state := x.states[s]

	return liveAround{
		done:  union(x.behind.done, x.shared.done, x.liveBeforeRows(state.well)),
		aside: union(x.behind.aside, x.shared.aside, x.liveBeforeRows(state.aside)),
	}
}

// liveBeforeRows returns the live variables before rows.
func (x *liveMachine) liveBeforeRows(rows liveRows) *big.Int {
	live := union(rows.read)
	if rows.isAnywhere {
		live.Or(live, x.everywhere)
	}
	for _, s := range rows.to {
		live.Or(live, x.states[s].entered)
	}

	return live
}
