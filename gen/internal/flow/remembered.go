package flow

import (
	"math"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// remembered is what guards of an agent's machine read of previous states: how often one was
// entered, whether its agent has returned a value, or a part of that value.
type remembered struct {
	rememberedName
	// most is the number above which guards do not distinguish values.
	most byte
	// values are the possible values of a part. It is remembered by its number, from 1; 0 is not
	// known.
	values []workflow.Value
}

// rememberedName identifies what is remembered of a state. part is the name of a part of its value.
type rememberedName struct {
	state string
	root  ir.Root
	part  string
}

// rememberedBy returns what the guards of a machine remember. Visits count only if they are
// compared with constants.
func rememberedBy(m *ir.Machine) []remembered {
	most := map[rememberedName]float64{}
	var found []rememberedName
	parts := newValueParts(m)
	for _, row := range m.Rows() {
		switch {
		case row.When == nil || row.When.Func != nil:
			continue
		case row.When.Formula == nil || row.When.Formula.Root == nil:
			return nil // it has a mistake, and others may mean the same
		}
		for _, leaf := range expr.Parts(row.When.Formula.Root) {
			ir.WalkAccesses(leaf, func(access *ir.Access) {
				if access.Root != ir.RootVisits && access.Root != ir.RootStep {
					return
				}
				parts.add(access)
				f := rememberedName{state: rememberedState(access), root: access.Root}
				if _, known := most[f]; !known {
					found = append(found, f)
				}
				most[f] = max(most[f], largestConstant(leaf, access))
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
			all = append(all, remembered{rememberedName: f, most: byte(n)})
		}
	}

	return append(all, parts.found...)
}

// valueParts collects the parts of values that guards read and whose schema lists what they can be.
type valueParts struct {
	machine *ir.Machine
	found   []remembered
	// combinations are the numbers of combinations of the parts of a state.
	combinations map[string]int
}

func newValueParts(m *ir.Machine) *valueParts {
	return &valueParts{machine: m, combinations: map[string]int{}}
}

// add adds the part of a value that a name reads, unless its state has too many combinations. After
// a signal, a state has no new value.
func (x *valueParts) add(access *ir.Access) {
	constants := expr.Constants(access.Type.Schema)
	if access.Root != ir.RootStep || constants == nil {
		return
	}
	name := rememberedName{state: rememberedState(access), root: access.Root, part: expr.NameOf(access)}
	s := ir.First(x.machine.States, func(s *ir.State) bool { return s.Name.Value == name.state })
	isKnown := slices.ContainsFunc(x.found, func(f remembered) bool { return f.rememberedName == name })
	if isKnown || s == nil || len(x.machine.KeySignals(s)) > 0 {
		return
	}
	values := append([]workflow.Value{{}}, constants...)
	all := max(1, x.combinations[name.state]) * len(values)
	if all <= maxValues {
		x.combinations[name.state] = all
		x.found = append(x.found, remembered{rememberedName: name, values: values})
	}
}

// inexact is the number of a condition that does not compare with constants.
const inexact = 1 << 53

// largestConstant returns the number above which a part of a condition does not distinguish values
// of a name.
func largestConstant(leaf ir.Expression, name *ir.Access) float64 {
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

// rememberedState returns the state of a name below steps or visits; "" for all of them.
func rememberedState(x *ir.Access) string {
	switch {
	case x.Output != nil:
		return x.Output.Name.Value
	case x.Root == ir.RootVisits && len(x.Path) == 1:
		return x.Path[0].Name.Value
	}

	return ""
}

// refineByMemory analyzes a machine again if its guards remember previous states: each state once
// for each combination of remembered values. If these are too many, the result without them
// remains.
func (x *Machine) refineByMemory() {
	if x.Start == nil || x.Partial || x.isDriven() || x.Machine.IsLive() {
		return // nothing is known of a restored machine
	}
	facts := rememberedBy(x.Machine)
	if len(facts) == 0 {
		return
	}
	e := &Machine{Machine: x.Machine, p: x.p, routesLimit: x.routesLimit, outcomes: Outcomes{p: x.p}, unbound: Outcomes{p: x.p}}
	known := map[stateValues]*State{}
	enter := func(s *State, before values) *State {
		at := stateValues{s, updateMemory(facts, ir.RootVisits, s, before)}
		if known[at] == nil {
			known[at] = e.copyOf(s, facts, at.values)
		}
		return known[at]
	}
	e.Start = enter(x.Start, values(make([]byte, len(facts))))
	for i := 0; i < len(e.States); i++ {
		s := e.States[i]
		if s.Anywhere || len(e.States) > maxPaths {
			return
		}
		moves := s.Moves
		s.Moves = nil
		for _, after := range memoriesAfterRun(facts, s) {
			ran := e.judgeAfterRun(s, moves, after)
			for _, move := range ran.Moves {
				if to := move.To; to != nil && move.Dead == Alive {
					move.To = enter(to, updateMemory(facts, ir.RootStep, s, after))
				}
			}
		}
	}
	e.reachFrom([]*State{e.Start})
	e.measurePaths()
	x.applyCopies(e)
}

// copyOf adds a copy of a state with remembered values. Its moves lead to the original states,
// until it is known which of them can be taken.
func (x *Machine) copyOf(s *State, facts []remembered, found values) *State {
	c := &State{State: s.State, Index: len(x.States), Anywhere: s.Anywhere, exits: Outcomes{p: x.p}, facts: facts, remembers: found}
	c.Moves = ir.Map(s.Moves, func(move *Move) *Move {
		return &Move{From: c, To: move.To, Row: move.Row, Ends: move.Ends, Dead: NoKey}
	})
	x.States = append(x.States, c)

	return c
}

// memoriesAfterRun returns what may be remembered after the agent of a state has returned a value.
func memoriesAfterRun(facts []remembered, s *State) []values {
	all := []values{s.remembers}
	for i, f := range facts {
		if f.values == nil || f.state != s.Name.Value {
			continue
		}
		var next []values
		for _, before := range all {
			for n := range f.values {
				after := []byte(before)
				after[i] = byte(n + 1)
				next = append(next, values(after))
			}
		}
		all = next
	}

	return all
}

// judgeAfterRun judges copies of the moves of a state for one memory after its agent has run, and
// adds the result to that of the state.
func (x *Machine) judgeAfterRun(s *State, moves []*Move, after values) (ran *State) {
	ran = &State{State: s.State, Index: s.Index, exits: Outcomes{p: x.p}, facts: s.facts, remembers: after}
	ran.Moves = ir.Map(moves, func(move *Move) *Move {
		copied := *move
		return &copied
	})
	x.judgeState(ran)
	s.Moves = append(s.Moves, ran.Moves...)
	s.ends, s.Unrouted = s.ends || ran.ends, s.Unrouted || ran.Unrouted
	s.exits = s.exits.merge(ran.exits, 0)
	s.perhapsNone = append(s.perhapsNone, ran.perhapsNone...)

	return ran
}

// updateMemory returns what is remembered after a state is entered, or its agent has run.
func updateMemory(facts []remembered, root ir.Root, s *State, before values) values {
	after := []byte(before)
	for i, f := range facts {
		if f.root == root && f.state == s.Name.Value && f.values == nil {
			after[i] = min(after[i]+1, f.most)
		}
	}

	return values(after)
}

// knownNames adds the remembered values of a state to the known names of a key.
func (s *State) knownNames(key expr.Known) expr.Known {
	if s.facts == nil {
		return key
	}

	return func(access *ir.Access) (any, bool) {
		for i, f := range s.facts {
			isPart := f.values != nil && f.part == expr.NameOf(access)
			switch {
			case isPart && s.remembers[i] > 0:
				return f.values[s.remembers[i]-1], true
			case f.values != nil:
			case f.root != access.Root || f.state != rememberedState(access):
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

// applyCopies updates the result of a machine by one with a copy of each state for each combination
// of remembered values.
func (x *Machine) applyCopies(e *Machine) {
	x.copies, x.outcomes, x.unbound = e, e.outcomes, e.unbound
	x.Steps, x.Nearest = e.Steps, e.Nearest
	for _, s := range x.States {
		s.ends, s.exits, s.perhapsNone = false, Outcomes{p: x.p}, nil
	}
	taken := map[*Move]bool{}
	for _, c := range e.States {
		s := x.stateOf[c.State]
		s.ends = s.ends || c.ends
		s.exits = s.exits.merge(c.exits, 0)
		s.perhapsNone = append(s.perhapsNone, c.perhapsNone...)
		for i, move := range c.Moves {
			original := s.Moves[i%len(s.Moves)] // the copy has them for each value of its agent
			taken[original] = taken[original] || move.Dead == Alive
		}
	}
	x.adoptCopies(e, taken, NoWay)
}

// adoptCopies updates the states of the machine by their copies, and sets why moves are not taken.
func (x *Machine) adoptCopies(copies *Machine, taken map[*Move]bool, dead Dead) {
	for _, s := range x.States {
		s.Reached, s.By, s.Steps = false, nil, 0
	}
	for _, c := range copies.States {
		s := x.stateOf[c.State]
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
