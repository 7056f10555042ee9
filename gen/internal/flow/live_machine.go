package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// liveMachine is what lives in a machine.
type liveMachine struct {
	*liveness
	machine *ir.Machine
	behind  around
	states  map[*ir.State]*liveState
	// fromAny is what follows the steps of every state.
	fromAny liveWays
	// everywhere is what lives where a state is entered and only the run knows which, and shared what
	// lives before the ways of fromAny, as far as the sweep before has found out.
	everywhere *big.Int
	shared     around
}

// liveState is what lives in a state of a machine.
type liveState struct {
	// effect is that of its steps, and entered are the variables that live before them.
	effect
	entered *big.Int
	liveWays
}

// liveWays are the rows that follow steps: well those that follow steps that have ended well, and
// aside all others.
type liveWays struct{ well, aside liveRows }

// liveRows are the variables that rows read, and the states that may be next; any of them where only
// the run knows which.
type liveRows struct {
	read       *big.Int
	to         []*ir.State
	isAnywhere bool
}

func newWays() liveWays {
	return liveWays{well: liveRows{read: new(big.Int)}, aside: liveRows{read: new(big.Int)}}
}

// ofMachine returns the effect of a machine.
func (l *liveness) ofMachine(m *ir.Machine) effect {
	live := l.liveIn(m, around{done: new(big.Int), aside: new(big.Int)})
	if start := l.x.p.guess.Target(m, m.Initial); start != nil {
		return effect{live.states[start].entered, new(big.Int)}
	}

	return effect{live.everywhere, new(big.Int)}
}

// markMachine notes what lives in the states of a machine.
func (l *liveness) markMachine(m *ir.Machine, behind around) {
	live := l.liveIn(m, behind)
	for _, s := range m.States {
		l.entered[s] = live.states[s].entered
		l.mark(s.Body, live.around(s))
	}
}

// liveIn finds what lives in a machine.
func (l *liveness) liveIn(m *ir.Machine, behind around) *liveMachine {
	x := &liveMachine{
		liveness: l, machine: m, behind: behind, states: map[*ir.State]*liveState{}, fromAny: newWays(),
		everywhere: new(big.Int), shared: around{new(big.Int), new(big.Int)},
	}
	for _, s := range m.States {
		x.states[s] = &liveState{effect: l.ofBody(s.Body), entered: new(big.Int), liveWays: newWays()}
		x.addNext(s)
	}
	for _, row := range m.Rows() {
		x.addRow(row)
	}
	for x.sweep() {
	}

	return x
}

// addRow adds a row to what follows the states that it leads from.
func (x *liveMachine) addRow(row *ir.Row) {
	ways := &x.fromAny
	if !row.IsFromAny() {
		from := x.states[row.From.State]
		if from == nil {
			return // a mistake
		}
		ways = &from.liveWays
	}
	rows := &ways.aside
	if row.Key.Value == ir.OnSuccess {
		rows = &ways.well
	}
	read := x.readIn(interp.Condition(row.When))
	rows.read.Or(rows.read, read)
	x.addTarget(rows, row.To)
	if rows.isAnywhere {
		ways.well.isAnywhere = true // it is not known then what any step leads to
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

// addTarget adds the state that a reference means.
func (x *liveMachine) addTarget(rows *liveRows, ref ir.Ref) {
	to := x.x.p.guess.Target(x.machine, ref)
	if to == nil {
		rows.isAnywhere = true
	} else {
		rows.to = append(rows.to, to)
	}
}

// sweep looks at each state once more, from the last one to the first, and reports whether more lives
// than before.
func (x *liveMachine) sweep() (hasGrown bool) {
	for _, s := range x.machine.States {
		x.everywhere.Or(x.everywhere, x.states[s].entered)
	}
	x.shared = around{x.before(x.fromAny.well), x.before(x.fromAny.aside)}
	for _, s := range slices.Backward(x.machine.States) {
		state := x.states[s]
		entered := state.before(x.around(s))
		hasGrown = hasGrown || entered.Cmp(state.entered) != 0
		state.entered = entered
	}

	return hasGrown
}

// around returns what lives behind the steps of a state.
func (x *liveMachine) around(s *ir.State) around {
	state := x.states[s]

	return around{
		done:  union(x.behind.done, x.shared.done, x.before(state.well)),
		aside: union(x.behind.aside, x.shared.aside, x.before(state.aside)),
	}
}

// before returns what lives before rows.
func (x *liveMachine) before(rows liveRows) *big.Int {
	live := union(rows.read)
	if rows.isAnywhere {
		live.Or(live, x.everywhere)
	}
	for _, s := range rows.to {
		live.Or(live, x.states[s].entered)
	}

	return live
}
