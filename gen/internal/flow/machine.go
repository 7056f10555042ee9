package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Machine is what can happen in a machine of an agent, a gate or a workflow.
type Machine struct {
	*ir.Machine
	// Gate is the gate with the machine; nil for any other machine.
	Gate *ir.Gate
	// Start is the initial state; nil if it is not known.
	Start *State
	// BeginsAnywhere is set if the initial context may name any state as the initial one. The facts
	// about states that Start does not lead to are then true of the runs that begin in Start.
	BeginsAnywhere bool
	// isNamedByStep is set if a step may name the initial state, so that it may be any.
	isNamedByStep bool
	// States are in source order.
	States []*State
	// Steps is the fewest states with agents on a path to an end; 0 if there is none, or not
	// everything is known. Nearest is the state in which it ends.
	Steps   int
	Nearest *State

	p       *Program
	stateOf map[*ir.State]*State
	// fromAny are the rows of a workflow from "*".
	fromAny []*ir.Row
	// followsValues is set if values are followed.
	followsValues bool
	// copies has a copy of the states for each combination of values that guards remember, or that
	// a workflow has without avoidable failures. It is nil if there are none.
	copies *Machine
	// possible has a copy of the states for each combination of values that a workflow has in any
	// run; nil if they are not known.
	possible *Machine
	// routesLimit is set if some row around the machine is for [ir.ExhaustedKey].
	routesLimit bool
	// outcomes are the outcomes within max_steps, and unbound those without bounds.
	outcomes, unbound Outcomes
}

// State is a state of a machine.
type State struct {
	*ir.State
	Index int
	// Written is set if rows lead here from the start, and Reached if rows that can be taken do.
	Written, Reached bool
	// By is the last move of the shortest possible path from the start, and Steps the number of
	// states with agents on it. By is nil in the start, without a path, and if only the run decides
	// the last move.
	By    *Move
	Steps int
	// Moves are in source order, including dead ones. In a workflow they are the rows that are
	// tried in the state, with those from "*", and then the values of next_state.
	Moves []*Move
	// neverFails is set if the steps of the state are known not to fail in any run.
	neverFails bool
	// LeavingQuestion is a step that asks a person in each run in which the steps of the state do not
	// fail: its answer leaves the state by the row LeavingRow. It is nil if there is none.
	LeavingQuestion *ir.Task
	LeavingRow      *ir.Row
	// Asks is set if a step of the state asks a person. Only then is there a pause. Questions of a
	// machine or another workflow inside of the state are answered there.
	Asks bool
	// Stalls is set if no move may be taken after the steps of the state have ended well: it has
	// rows, all guards may fail, and no step is certain to name the next state.
	Stalls bool
	// Stops is set if the machine may end here after the steps of the state have ended well: no row
	// leads from it, and no step is certain to name the next state.
	Stops bool
	// Beyond is set if the agent of the state could finish with a key of a row, but not within its
	// bounds.
	Beyond bool
	// Anywhere is set if the targets of the state are not known. Unrouted is set if the agent can
	// finish with a key without a row, or has no key with one.
	Anywhere, Unrouted bool

	// exits are the keys with which the machine ends here. ends is set if it can end here with an
	// unknown key.
	exits Outcomes
	ends  bool
	// remembers is what guards remember when the state is entered. nearest is its copy that is
	// reached first; see [Machine.refineByMemory].
	remembers values
	nearest   *State

	// perhapsNone are keys whose guards may all fail, including guards of the catch-all.
	perhapsNone []string
}

// Exits returns the keys with which the machine can end in the state.
func (s *State) Exits() Outcomes { return s.exits }

// PerhapsNone reports whether a key of the agent may take no row.
func (s *State) PerhapsNone(key string) bool { return slices.Contains(s.perhapsNone, key) }

// Path returns the shortest path from the start. It is nil in the start, without a path, and if
// only the run decides a part of it.
func (s *State) Path() []*Move {
	if s.nearest != nil {
		return s.nearest.Path()
	}
	var path []*Move
	first := s
	for ; first.By != nil; first = first.By.From {
		path = append(path, first.By)
	}
	if first.Steps > 0 {
		return nil
	}
	slices.Reverse(path)

	return path
}

// TriedOn returns the rows whose guards are tried on an event, in this order, including guards that
// never hold.
func (s *State) TriedOn(event string) []*ir.Row {
	tried := ir.Where(s.Moves, func(move *Move) bool {
		return move.Row != nil && move.Row.Key.Value == event && move.isTried()
	})

	return ir.Map(tried, func(move *Move) *ir.Row { return move.Row })
}

// AlwaysOn returns the row without a guard that is taken on an event if no earlier row is; nil if
// there is none.
func (s *State) AlwaysOn(event string) *ir.Row {
	return ir.First(s.TriedOn(event), func(row *ir.Row) bool { return row.When == nil })
}

// Move is a row, the unconditional transition of a state, or a value of next_state. In the copies
// of a workflow's states it can also be open.
type Move struct {
	From *State
	// To is the target; nil if there is none, or it is not known.
	To *State
	// Row is nil for an unconditional transition and for a value of next_state.
	Row *ir.Row
	// Next is the value of next_state; nil for anything else.
	Next *ir.Ref
	// Open is set if only the run decides that the move leads to this state. It has no position in
	// the source, and is never a [State.By].
	Open bool
	// Unless is set if the move is a row from "*" on failure, which is taken only after a failure.
	Unless bool
	// Ends is set if the move ends the machine without another agent, or the agent of a gate.
	Ends bool
	// Dead is why the move is never taken although the state is reached; Alive if it can be taken.
	Dead Dead

	calls int
}

// Key returns the key of the row with its position. An unconditional state has a position, but no
// key.
func (m *Move) Key() ir.Text {
	switch {
	case m.Row != nil:
		return m.Row.Key
	case m.Next != nil:
		return ir.Text{Value: ir.NextState, Span: m.Next.Span}
	}

	return ir.Text{Span: m.From.Always.Span}
}

// Dead is why a move is never taken.
type Dead uint8

const (
	// Alive is a move that can be taken.
	Alive Dead = iota
	// NoKey is a move whose key the agent never finishes with.
	NoKey
	// NoGuard is a row whose guard never holds for its key.
	NoGuard
	// Shadowed is a row whose guard only holds if the guard of an earlier row does.
	Shadowed
	// NoWay is a row whose guard holds on no path to the state.
	NoWay
)

// StateOf returns the result for a state of the machine. It is nil for any other state.
func (m *Machine) StateOf(s *ir.State) *State { return m.stateOf[s] }

// isTried reports whether the guard of a row is tried when its event occurs.
func (m *Move) isTried() bool {
	return m.Dead == Alive || m.Dead == NoGuard || m.Dead == NoWay
}

// Next returns the targets of the moves that can be taken and after which the machine continues. A
// gate does not continue after its agent finished.
func (s *State) Next() []*State {
	return ir.Map(ir.Where(s.Moves, (*Move).leads), func(move *Move) *State { return move.To })
}

// leads reports whether a move can be taken and the machine continues after it.
func (m *Move) leads() bool { return m.Dead == Alive && m.To != nil && !m.Ends }

// analyzeMachine finds what can happen in a machine. The outcomes of its agents are known.
func (p *Program) analyzeMachine(a *ir.Agent, m *ir.Machine) *Machine {
	x := p.newMachine(m)
	x.routesLimit = p.routesLimit[a]
	if react, ok := a.Node.(*ir.React); ok {
		x.Gate = react.Gate
	}
	for _, s := range x.States {
		if s.Always != nil {
			x.addMove(&Move{From: s, Ends: x.endsMachine(nil), Dead: NoKey}, *s.Always)
		}
		for _, row := range s.Rows {
			x.addMove(&Move{From: s, Row: row, Ends: x.endsMachine(row), Dead: NoKey}, row.To)
		}
	}
	x.judgeStates()
	x.findReached()
	x.measurePaths()
	x.refineByMemory()

	return x
}

func (p *Program) newMachine(m *ir.Machine) *Machine {
	x := &Machine{Machine: m, p: p, stateOf: make(map[*ir.State]*State, len(m.States)), outcomes: Outcomes{p: p}, unbound: Outcomes{p: p}}
	for i, s := range m.States {
		state := &State{State: s, Index: i, Anywhere: s.Empty.IsValid(), exits: Outcomes{p: p}}
		x.States = append(x.States, state)
		x.stateOf[s] = state
	}
	x.Start = x.stateOf[p.guess.Target(m, m.Initial)]

	return x
}

// addMove adds a move to the state of a reference.
func (x *Machine) addMove(move *Move, ref ir.Ref) {
	s := move.From
	s.Moves = append(s.Moves, move)
	if move.Row != nil && (move.Row.End || interp.StaysInState(s.State, move.Row)) {
		return
	}
	move.To = x.stateOf[x.p.guess.Target(x.Machine, ref)]
	if move.To == nil {
		s.Anywhere = true
	}
}

// endsMachine reports whether a row ends the machine, or the agent of a gate.
func (x *Machine) endsMachine(row *ir.Row) bool {
	if x.Gate != nil {
		return row != nil && row.Key.Value == ir.FinishAction
	}

	return row != nil && row.End
}

// isDriven reports whether no agent runs in the states of the machine, because other code or the
// calls of a model drive it.
func (x *Machine) isDriven() bool { return x.External || x.Gate != nil }

// findReached finds the reached states, and the shortest paths.
func (x *Machine) findReached() {
	if x.Start == nil {
		for _, s := range x.States {
			s.Written, s.Reached = true, true
		}
		return
	}
	starts := x.starts()
	for _, s := range starts {
		s.Written = true
	}
	queue := slices.Clone(starts)
	written := func(to *State) {
		if to != nil && !to.Written {
			to.Written = true
			queue = append(queue, to)
		}
	}
	for _, row := range x.fromAny {
		if !x.Start.End {
			written(x.stateOf[x.p.guess.Target(x.Machine, row.To)])
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		x.visitWritten(queue[0], written)
	}
	x.reachFrom(starts)
}

// starts returns the states in which runs begin whose initial context names none.
func (x *Machine) starts() []*State {
	if x.isNamedByStep {
		return x.States
	}

	return []*State{x.Start}
}

// visitWritten calls visit for each state that s leads to in the source, including values of
// next_state that no run reads.
func (x *Machine) visitWritten(s *State, visit func(*State)) {
	for _, move := range s.Moves {
		visit(move.To)
	}
	for _, ref := range s.State.Next {
		visit(x.stateOf[x.p.guess.Target(x.Machine, ref)])
	}
	if s.Anywhere {
		for _, to := range x.States {
			visit(to)
		}
	}
}

// reachFrom marks the states that a run reaches from some states, and finds the shortest paths.
func (x *Machine) reachFrom(starts []*State) {
	queue := slices.Clone(starts)
	reach := func(to, from *State, by *Move) {
		if !to.Reached {
			to.Reached, to.By, to.Steps = true, by, from.Steps+1
			queue = append(queue, to)
		}
	}
	for _, s := range starts {
		s.Reached = true
	}
	for ; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		for _, move := range s.Moves {
			switch {
			case move.leads() && move.Open:
				reach(move.To, s, nil)
			case move.leads():
				reach(move.To, s, move)
			}
		}
		if s.Anywhere {
			for _, to := range x.States {
				reach(to, s, nil)
			}
		}
	}
}
