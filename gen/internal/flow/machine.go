package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Machine is what can happen in a machine: that of an agent, of a gate or of a workflow.
type Machine struct {
	*ir.Machine
	// Gate is what the machine is part of; nil for every other one.
	Gate *ir.Gate
	// Start is the state in which it begins; nil if that is not known.
	Start *State
	// States are in source order.
	States []*State
	// Steps are the fewest states whose agents run on the way to an end; 0 where there is no such way,
	// or where not all is known. Nearest is the state in which it ends.
	Steps   int
	Nearest *State

	p  *Program
	of map[*ir.State]*State
	// fromAny are the rows of a workflow from "*".
	fromAny []*ir.Row
	// followed says that values are followed.
	followed bool
	// copies has the states once for each combination of what their guards remember, or of values that
	// a workflow has there if nothing fails that need not; nil where there are none.
	copies *Machine
	// possible has the states once for each combination of values that a workflow has there in any run; nil where that is not
	// known.
	possible *Machine
	// outcomes are those within max_steps, and unbound those without bounds.
	outcomes, unbound Outcomes
}

// State is a state of a machine.
type State struct {
	*ir.State
	Index int
	// Written says that rows lead here from the start as they are written, and Reached that rows
	// which can be taken do.
	Written, Reached bool
	// By is the last move of the shortest path that can be taken from the start, and Steps are the
	// states whose agents run on it. By is nil in the start, where there is no path, and where only the
	// run decides on the last move.
	By    *Move
	Steps int
	// Moves are in source order, those that are never taken included. Those of a state of a workflow
	// are the rows that are tried there, with those from "*", and then what next_state may name.
	Moves []*Move
	// Asks says that a step of the state asks a person: only then there is a pause. What a machine or
	// another workflow inside of the state asks is answered there.
	Asks bool
	// Stalls says that perhaps no move is taken when the steps of the state have ended well: it has rows,
	// the guards of all may fail, and no step is certain to name the next state.
	Stalls bool
	// Stops says that the machine perhaps ends here when the steps of the state have ended well: no row
	// leads from it, and no step is certain to name the next state.
	Stops bool
	// Beyond says that the agent of the state could finish with a key that has a row here, but not
	// within its bounds.
	Beyond bool
	// Anywhere says that it is not known where the state leads, and Unrouted that the agent can
	// finish with a key that has no row, or with none that has one.
	Anywhere, Unrouted bool

	// exits are the keys with which the machine ends here; ends says that it can end here in a way
	// of which the key is not known.
	exits Outcomes
	ends  bool
	// facts and remembers are what guards remember where the state is entered, and nearest is the copy
	// of it that is reached first; see [Machine.follow].
	facts     []remembered
	remembers values
	nearest   *State

	// perhapsNone are keys whose guards, those of the catch-all included, may all fail.
	perhapsNone []string
}

// Exits returns the keys with which the machine can end in the state.
func (s *State) Exits() Outcomes { return s.exits }

// PerhapsNone reports whether, with a key that the agent can finish with, perhaps no row is taken.
func (s *State) PerhapsNone(key string) bool { return slices.Contains(s.perhapsNone, key) }

// Path returns the shortest path from the start; nil in the start, where there is none, and where only
// the run decides on a part of it.
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

// TriedOn returns the rows whose guards are tried on an event, in that order: that one never holds is
// no reason to leave it out.
func (s *State) TriedOn(event string) []*ir.Row {
	tried := ir.Where(s.Moves, func(move *Move) bool {
		return move.Row != nil && move.Row.Key.Value == event && move.isTried()
	})

	return ir.Map(tried, func(move *Move) *ir.Row { return move.Row })
}

// AlwaysOn returns the row without a guard that is taken on an event if none before it is; nil if
// there is none.
func (s *State) AlwaysOn(event string) *ir.Row {
	return ir.First(s.TriedOn(event), func(row *ir.Row) bool { return row.When == nil })
}

// Move is a row, the unconditional transition of a state, or a value of next_state. On a path through
// the steps of a workflow it can also be open.
type Move struct {
	From *State
	// To is the state that follows; nil where none does, and where it is not known which.
	To *State
	// Row is nil for an unconditional transition and for a value of next_state.
	Row *ir.Row
	// Next is the value of next_state; nil for anything else.
	Next *ir.Ref
	// Open says that only the run decides that the move leads to this state: there is no place in the
	// source that says so, and no [State.By] is such a move.
	Open bool
	// Unless says that the move is a row from "*" on failure, which is not a way on unless something
	// fails.
	Unless bool
	// Ends says that the machine ends without another agent, or the agent whose calls it gates.
	Ends bool
	// Dead is why the move is never taken where the state is reached; Alive for one that is.
	Dead Dead

	calls int
}

// Key returns the key of the row with its place; the target of an unconditional state has no key
// but a place.
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
	// Alive is that of a move that can be taken.
	Alive Dead = iota
	// NoKey: the agent never finishes with a key that leads to the row.
	NoKey
	// NoGuard: the guard of the row never holds for its key.
	NoGuard
	// Shadowed: whenever the guard holds, that of a row which is tried before does.
	Shadowed
	// NoWay: the guard holds on no way to the state.
	NoWay
)

// Of returns what is known of a state of the machine; nil for nil and for that of another one.
func (m *Machine) Of(s *ir.State) *State { return m.of[s] }

// isTried reports whether the guard of a row is tried when its event occurs.
func (m *Move) isTried() bool {
	return m.Dead == Alive || m.Dead == NoGuard || m.Dead == NoWay
}

// Next returns the states that a move which can be taken leads to and in which something can
// follow: when the agent that a gate is part of finishes, it is done.
func (s *State) Next() []*State {
	return ir.Map(ir.Where(s.Moves, (*Move).leads), func(move *Move) *State { return move.To })
}

// leads reports whether a move can be taken and leads to a state in which something can follow.
func (m *Move) leads() bool { return m.Dead == Alive && m.To != nil && !m.Ends }

// machine finds out what can happen in a machine, when that is known of all agents in it.
func (p *Program) machine(a *ir.Agent, m *ir.Machine) *Machine {
	x := p.newMachine(m)
	if react, ok := a.Node.(*ir.React); ok {
		x.Gate = react.Gate
	}
	for _, s := range x.States {
		if s.Always != nil {
			x.lead(&Move{From: s, Ends: x.endsBy(nil), Dead: NoKey}, *s.Always)
		}
		for _, row := range s.Rows {
			x.lead(&Move{From: s, Row: row, Ends: x.endsBy(row), Dead: NoKey}, row.To)
		}
	}
	for _, s := range x.States {
		x.judge(s)
	}
	x.reach()
	x.measure()
	x.follow()

	return x
}

func (p *Program) newMachine(m *ir.Machine) *Machine {
	x := &Machine{Machine: m, p: p, of: make(map[*ir.State]*State, len(m.States)), outcomes: Outcomes{p: p}, unbound: Outcomes{p: p}}
	for i, s := range m.States {
		state := &State{State: s, Index: i, Anywhere: s.Empty.IsValid(), exits: Outcomes{p: p}}
		x.States = append(x.States, state)
		x.of[s] = state
	}
	x.Start = x.of[p.guess.Target(m, m.Initial)]

	return x
}

// lead adds a move to the state of a reference.
func (x *Machine) lead(move *Move, ref ir.Ref) {
	s := move.From
	s.Moves = append(s.Moves, move)
	if move.Row != nil && (move.Row.End || interp.Stays(s.State, move.Row)) {
		return
	}
	move.To = x.of[x.p.guess.Target(x.Machine, ref)]
	if move.To == nil {
		s.Anywhere = true
	}
}

// endsBy reports whether a row that is taken ends the machine, or the agent whose calls it gates.
func (x *Machine) endsBy(row *ir.Row) bool {
	if x.Gate != nil {
		return row != nil && row.Key.Value == ir.FinishAction
	}

	return row != nil && row.End
}

// driven reports whether no agent runs in the states of the machine: others drive it, or the calls
// of a model do.
func (x *Machine) driven() bool { return x.External || x.Gate != nil }

// reach finds the states that are reached, and the shortest paths.
func (x *Machine) reach() {
	if x.Start == nil {
		for _, s := range x.States {
			s.Written, s.Reached = true, true
		}
		return
	}
	x.Start.Written = true
	queue := []*State{x.Start}
	written := func(to *State) {
		if to != nil && !to.Written {
			to.Written = true
			queue = append(queue, to)
		}
	}
	for _, row := range x.fromAny {
		if !x.Start.End {
			written(x.of[x.p.guess.Target(x.Machine, row.To)])
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		x.eachWritten(queue[0], written)
	}
	x.reachFrom([]*State{x.Start})
}

// eachWritten calls visit for each state that s leads to as it is written, values of next_state that no run looks at included.
func (x *Machine) eachWritten(s *State, visit func(*State)) {
	for _, move := range s.Moves {
		visit(move.To)
	}
	for _, ref := range s.State.Next {
		visit(x.of[x.p.guess.Target(x.Machine, ref)])
	}
	if s.Anywhere {
		for _, to := range x.States {
			visit(to)
		}
	}
}

// reachFrom marks the states that a run reaches when it begins in some of them, and finds the shortest
// paths.
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
