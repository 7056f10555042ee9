package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// exactPaths is how many visits of states are distinguished by their data, of which a state has
// exactData after paths of the same length. Of further ones the data is joined.
const exactPaths, exactData = 256, 16

// visitsApart returns how many visits of a state in the same step are looked at one by one.
func visitsApart(visits int) int {
	if visits > exactPaths {
		return 1
	}

	return exactData
}

// machineCosts is what is found in a machine of a workflow in one run of it.
type machineCosts struct {
	// given is what each state is given, and said what it is given where the one before was left for an
	// answer of a person.
	given, said extent
	// item is that of the loop around the machine.
	item extent
	// met are the bounds of the states, wherever they are entered.
	met map[*ir.State]spending
	// all is the data of all visits so far, of which there are visits in step steps. isJoined says
	// that it counts for each further one, since most paths have it.
	all          data
	step, visits int
	grew         bool
	isJoined     bool
	// last is the data of the last visit of each state, and grown counts how often that was larger
	// than the one before.
	last  map[*ir.State]data
	grown map[*ir.State]int
}

// isPossible reports whether some run takes a move of a machine.
func (x *workCosts) isPossible(m *ir.Machine, from *ir.State, move interp.Move) bool {
	facts := x.facts.Machine(m)

	return facts == nil || facts.MayTake(from, move)
}

// startsOf returns the states in which a machine may begin. The initial context of an entry point can
// name any state of the first machine at the top.
func (x *workCosts) startsOf(t *ir.Task, m *ir.Machine) []*ir.State {
	first := ir.First(x.flow.Body.Tasks, func(t *ir.Task) bool {
		_, isMachine := t.Do.(*ir.Machine)
		return isMachine
	})
	facts := x.facts.Machine(m)
	switch {
	case facts == nil || facts.Start == nil || m.MaxSteps < 1:
		return nil
	case x.begins && first == t:
		return m.States
	}

	return []*ir.State{facts.Start.State}
}

// Begin gives the first state what the machine is given, which is the output where no state is run.
func (x *workCosts) Begin(_ *ir.Task, m *ir.Machine, in *runs) *runs {
	costs := &machineCosts{
		given: in.given, item: in.item, met: map[*ir.State]spending{}, all: in.data, last: map[*ir.State]data{}, grown: map[*ir.State]int{},
	}
	for _, row := range m.Rows() {
		if row.Key.Value == ir.OnPause {
			costs.said = asJSON(quotedText(x.options.Input))
		}
	}
	x.machines[m] = costs
	out := *in
	out.value = in.given

	return &out
}

// Event changes no size.
func (*workCosts) Event(_ interp.At[*runs], _ string, in *runs) *runs { return in }

// Take gives the next state what the machine is given, and a person's answer where it was left for
// that.
func (x *workCosts) Take(at interp.At[*runs], move interp.Move, in *runs) *runs {
	out := *in
	out.given = x.machines[at.Machine].given
	if move.Row != nil && move.Row.Key.Value == ir.OnPause {
		out.given = x.machines[at.Machine].said
		out.value = out.given
	}

	return &out
}

// Stop ends a machine with the output of the last state.
func (x *workCosts) Stop(at interp.At[*runs], _ bool, in *runs) *runs {
	x.machines[at.Machine].add(in.data)

	return in
}

// Stall notes nothing: that no move is taken costs nothing.
func (*workCosts) Stall(interp.At[*runs], *runs) {}

// Finish keeps the bounds of the states of a machine.
func (x *workCosts) Finish(_ *ir.Task, m *ir.Machine, ends interp.Ends[*runs]) interp.Ends[*runs] {
	for _, s := range m.States {
		if s.Body != nil && !s.End {
			x.analysis.meet(place{x.agent, s}, bound{most: x.machines[m].met[s].used})
		}
	}

	return ends
}

// meet keeps what the steps of a state use.
func (m *machineCosts) meet(s *ir.State, inner interp.Ends[*runs]) {
	for _, behind := range []*runs{inner.Done, inner.Failed} {
		if behind != nil {
			m.met[s] = m.met[s].or(behind.spent)
		}
	}
}

// add adds the data of a visit to that of all.
func (m *machineCosts) add(d data) {
	if !m.all.tree.covers(d.tree) {
		m.all, m.grew = m.all.or(d), true
	}
}

// enter returns the data with which a state is looked at that is entered in a step.
func (m *machineCosts) enter(step int, s *ir.State, in data) data {
	if step != m.step {
		m.isJoined = m.isJoined || step > exactRounds || m.visits > exactPaths && !m.grew
		m.step, m.grew = step, false
	}
	m.visits++
	m.add(in)
	if !m.isJoined {
		return in
	}
	if before, isKnown := m.last[s]; isKnown && before != m.all {
		m.grown[s]++
		if m.grown[s] > exactRounds {
			m.all = m.all.grown(before)
		}
	}
	m.last[s] = m.all

	return m.all
}

// Settled returns the data of all visits, once that grows no more.
func (x *workCosts) Settled(m *ir.Machine) (all *runs, ok bool) {
	costs := x.machines[m]
	if !costs.isJoined || costs.grew {
		return nil, false
	}
	given := costs.given.or(costs.said)

	return &runs{inside: inside{costs.all, given, costs.item}, input: given, previous: given}, true
}
