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

// memory has a copy of each state of a machine for each combination of remembered values.
type memory struct {
	facts  []remembered
	copies *Machine
	at     map[stateValues]*State
	// runs are the runs of the agents of each copy.
	runs       map[*State][]*agentRun
	hasGivenUp bool
}

// isGivenUp reports whether there are too many combinations. It is false for nil.
func (m *memory) isGivenUp() bool { return m != nil && m.hasGivenUp }

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
	copies := &Machine{Machine: x.Machine, p: x.p, routesLimit: x.routesLimit, outcomes: Outcomes{p: x.p}, unbound: Outcomes{p: x.p}}
	m := &memory{facts: facts, copies: copies, at: map[stateValues]*State{}, runs: map[*State][]*agentRun{}}
	w := &judge{machine: x, moves: x.movesByRow(), memory: m}
	w.run(nil)
	if m.hasGivenUp {
		return
	}
	copies.Start = copies.States[0]
	x.applyCopies(m)
}

// enter returns the copy of a state that is entered with some memory, and whether it is a new one.
func (m *memory) enter(s *State, before values) (copied *State, entered []*finish) {
	at := stateValues{s, updateMemory(m.facts, ir.RootVisits, s, before)}
	if m.at[at] != nil {
		return m.at[at], nil
	}
	c := &State{State: s.State, Anywhere: s.Anywhere, exits: Outcomes{p: m.copies.p}, remembers: at.values}
	m.at[at] = c
	m.copies.States = append(m.copies.States, c)
	m.hasGivenUp = m.hasGivenUp || s.Anywhere || len(m.copies.States) > maxPaths

	return c, []*finish{{entered: c}}
}

// runAgent returns the runs of the agent of a copy: one for each value that it may return.
func (m *memory) runAgent(c *State) []*agentRun {
	m.runs[c] = ir.Map(memoriesAfterRun(m.facts, c), func(after values) *agentRun {
		return &agentRun{state: c, remembers: after, moves: map[*Move]*Move{}}
	})

	return m.runs[c]
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

// afterState returns what is remembered when a state is left.
func (m *memory) afterState(run *agentRun) values {
	return updateMemory(m.facts, ir.RootStep, run.state, run.remembers)
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

// knownNames adds what is remembered after a run to the known names of a key.
func (m *memory) knownNames(run *agentRun, key expr.Known) expr.Known {
	return func(access *ir.Access) (any, bool) {
		for i, f := range m.facts {
			isPart := f.values != nil && f.part == expr.NameOf(access)
			switch {
			case isPart && run.remembers[i] > 0:
				return f.values[run.remembers[i]-1], true
			case f.values != nil:
			case f.root != access.Root || f.state != rememberedState(access):
			case f.root == ir.RootVisits:
				return int64(run.remembers[i]), true
			case run.remembers[i] == 0 && f.state != run.state.Name.Value:
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
func (x *Machine) applyCopies(m *memory) {
	e := m.copies
	taken := m.addMoves(x)
	e.reachFrom([]*State{e.Start})
	e.measurePaths()
	x.copies, x.outcomes, x.unbound = e, e.outcomes, e.unbound
	x.Steps, x.Nearest = e.Steps, e.Nearest
	for _, s := range x.States {
		s.ends, s.exits, s.perhapsNone = false, Outcomes{p: x.p}, nil
	}
	for _, c := range e.States {
		s := x.stateOf[c.State]
		s.ends = s.ends || c.ends
		s.exits = s.exits.merge(c.exits, 0)
		s.perhapsNone = append(s.perhapsNone, c.perhapsNone...)
	}
	x.adoptCopies(e, taken, NoWay)
}

// addMoves adds the moves between the copies of a machine, in the order of its source, and puts the
// copies in the order in which runs reach them. It returns the moves of the machine that are taken.
func (m *memory) addMoves(x *Machine) (taken map[*Move]bool) {
	taken = map[*Move]bool{}
	isFound, order := map[*State]bool{m.copies.Start: true}, []*State{m.copies.Start}
	for i := 0; i < len(order); i++ {
		c := order[i]
		c.Index = i
		for _, run := range m.runs[c] {
			for _, move := range x.stateOf[c.State].Moves {
				copied := run.moves[move]
				if copied == nil {
					continue
				}
				taken[move] = true
				c.Moves = append(c.Moves, copied)
				if to := copied.To; to != nil && !isFound[to] {
					isFound[to] = true
					order = append(order, to)
				}
			}
		}
	}
	m.copies.States = order

	return taken
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
