package flow

import (
	"math"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// remembered is what guards of an agent's machine read of the states before: how often one was
// entered, or whether its agent has given a value.
type remembered struct {
	state string
	root  ir.Root
	// most is the number beyond which guards make no difference.
	most byte
}

// rememberedBy returns what the guards of a machine remember: of how often a state was entered only
// what they compare with constants alone.
func rememberedBy(m *ir.Machine) []remembered {
	most := map[remembered]float64{}
	var found []remembered
	for _, row := range m.Rows() {
		switch {
		case row.When == nil || row.When.Func != nil:
			continue
		case row.When.Formula == nil || row.When.Formula.Root == nil:
			return nil // it has a mistake, and the others may mean the same
		}
		for _, leaf := range expr.Parts(row.When.Formula.Root) {
			ir.WalkAccesses(leaf, func(access *ir.Access) {
				if access.Root != ir.RootVisits && access.Root != ir.RootStep {
					return
				}
				f := remembered{state: stateOf(access), root: access.Root}
				if _, known := most[f]; !known {
					found = append(found, f)
				}
				most[f] = max(most[f], beyond(leaf, access))
			})
		}
	}
	var all []remembered
	for _, f := range found {
		n := most[f]
		if m.MaxSteps > 0 && n < inexact {
			n = min(n, float64(m.MaxSteps))
		}
		if f.root == ir.RootStep {
			n = 1
		}
		if n < maxValues {
			f.most = byte(n)
			all = append(all, f)
		}
	}

	return all
}

// inexact represents a number that a condition does not compare with constants.
const inexact = 1 << 53

// beyond returns the number beyond which a part of a condition makes no difference between values of
// a name.
func beyond(leaf ir.Expression, name *ir.Access) float64 {
	subject, constants := expr.SubjectOf(leaf)
	if subject != name {
		return inexact
	}
	most := 1.0
	for _, constant := range constants {
		n, isNumber := constant.AsNumber()
		if !isNumber {
			return inexact
		}
		most = max(most, math.Floor(n)+1)
	}

	return most
}

// stateOf returns the state that a name below steps or visits is about; "" for all of them.
func stateOf(x *ir.Access) string {
	switch {
	case x.Output != nil:
		return x.Output.Name.Value
	case x.Root == ir.RootVisits && len(x.Path) == 1:
		return x.Path[0].Name.Value
	}

	return ""
}

// follow finds out again what can happen in a machine whose guards remember the states before: each
// state is looked at once for each combination of what it can find remembered. Where these are too
// many, what guards alone say remains.
func (x *Machine) follow() {
	if x.Start == nil || x.Partial || x.driven() || x.Machine.IsLive() {
		return // of one that is restored nothing is known
	}
	facts := rememberedBy(x.Machine)
	if len(facts) == 0 {
		return
	}
	e := &Machine{Machine: x.Machine, p: x.p, outcomes: Outcomes{p: x.p}, unbound: Outcomes{p: x.p}}
	known := map[place]*State{}
	enter := func(s *State, before values) *State {
		at := place{s, count(facts, ir.RootVisits, s, before)}
		if known[at] == nil {
			known[at] = e.copyOf(s, facts, at.values)
		}
		return known[at]
	}
	e.Start = enter(x.Start, values(make([]byte, len(facts))))
	for i := 0; i < len(e.States); i++ {
		s := e.States[i]
		e.judge(s)
		if s.Anywhere || len(e.States) > maxPaths {
			return
		}
		for _, move := range s.Moves {
			if to := move.To; to != nil && move.Dead == Alive {
				move.To = enter(to, count(facts, ir.RootStep, s, s.remembers))

			}
		}
	}
	e.reachFrom([]*State{e.Start})
	e.measure()
	x.remember(e)
}

// copyOf adds a state with what it finds remembered. Its moves lead to the states of which copies
// are made when it is known which of them can be taken.
func (x *Machine) copyOf(s *State, facts []remembered, found values) *State {
	c := &State{State: s.State, Index: len(x.States), Anywhere: s.Anywhere, exits: Outcomes{p: x.p}, facts: facts, remembers: found}
	c.Moves = ir.Map(s.Moves, func(move *Move) *Move {
		return &Move{From: c, To: move.To, Row: move.Row, Ends: move.Ends, Dead: NoKey}
	})
	x.States = append(x.States, c)

	return c
}

// count returns what is remembered when a state is entered, or its agent has run.
func count(facts []remembered, root ir.Root, s *State, before values) values {
	after := []byte(before)
	for i, f := range facts {
		if f.root == root && f.state == s.Name.Value {
			after[i] = min(after[i]+1, f.most)
		}
	}

	return values(after)
}

// known returns what is known of names in the guards of a state, behind what is known of the key.
func (s *State) known(key expr.Known) expr.Known {
	if s.facts == nil {
		return key
	}

	return func(access *ir.Access) (any, bool) {
		for i, f := range s.facts {
			switch {
			case f.root != access.Root || f.state != stateOf(access):
			case f.root == ir.RootVisits:
				return int64(s.remembers[i]), true
			case s.remembers[i] == 0 && f.state != s.Name.Value:
				return nil, true
			}
		}
		if key == nil {
			return nil, false
		}
		return key(access)
	}
}

// remember corrects what is known of a machine by one with a copy of each state for each combination
// of what it remembers.
func (x *Machine) remember(e *Machine) {
	x.copies, x.outcomes, x.unbound = e, e.outcomes, e.unbound
	x.Steps, x.Nearest = e.Steps, e.Nearest
	for _, s := range x.States {
		s.ends, s.exits, s.perhapsNone = false, Outcomes{p: x.p}, nil
	}
	taken := map[*Move]bool{}
	for _, c := range e.States {
		s := x.of[c.State]
		s.ends = s.ends || c.ends
		s.exits = s.exits.with(c.exits, 0)
		s.perhapsNone = append(s.perhapsNone, c.perhapsNone...)
		for i, move := range c.Moves {
			taken[s.Moves[i]] = taken[s.Moves[i]] || move.Dead == Alive
		}
	}
	x.takeOver(e, taken, NoWay)
}

// takeOver says of the states of the machine what is found of copies of them, and of the moves that
// are not taken why.
func (x *Machine) takeOver(copies *Machine, taken map[*Move]bool, dead Dead) {
	for _, s := range x.States {
		s.Reached, s.By, s.Steps = false, nil, 0
	}
	for _, c := range copies.States {
		s := x.of[c.State]
		if c.Reached && (!s.Reached || c.Steps < s.Steps) {
			s.Reached, s.By, s.Steps, s.nearest = true, c.By, c.Steps, c
		}
	}
	for _, s := range x.States {
		for _, move := range s.Moves {
			if s.Reached && move.Dead == Alive && !taken[move] {
				move.Dead = dead
			}
		}
	}
}
