package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// exactPaths is the number of visits of states that are distinguished by their data, at most
// exactData for each state and path length. The data of further visits is joined.
const exactPaths, exactData = 256, 16

// maxVisitsApart returns how many visits of a state in the same step are analyzed separately.
func maxVisitsApart(visits int) int {
	if visits > exactPaths {
		return 1
	}

	return exactData
}

// machineCosts are the results for a machine of a workflow in one run.
type machineCosts struct {
	// given is the input of each state, and answer the input after a state that was left for a
	// person's answer.
	given, answer extent
	// item is the item of the loop around the machine.
	item extent
	// spent are the bounds of the states at all visits.
	spent map[*ir.State]spending
	// all is the data of all visits so far. visits counts those in step steps. isJoined is set if
	// it replaces the data of each further visit.
	all          data
	step, visits int
	hasGrown     bool
	isJoined     bool
	// last is the data of the last visit of each state, and grown counts how often it has grown.
	last  map[*ir.State]data
	grown map[*ir.State]int
}

// isPossible reports whether some run takes a move of a machine.
func (x *workCosts) isPossible(m *ir.Machine, from *ir.State, move interp.Move) bool {
	facts := x.facts.Machine(m)

	return facts == nil || facts.MayTake(from, move)
}

// machineStarts returns the possible initial states of a machine. The initial context of an entry
// point can name any state of the first top-level machine.
func (x *workCosts) machineStarts(t *ir.Task, m *ir.Machine) []*ir.State {
	first := ir.First(x.flow.Body.Tasks, func(t *ir.Task) bool {
		_, isMachine := t.Do.(*ir.Machine)
		return isMachine
	})
	facts := x.facts.Machine(m)
	switch {
	case facts == nil || facts.Start == nil || m.MaxSteps < 1:
		return nil
	case x.isEntry && first == t:
		return m.States
	}

	return []*ir.State{facts.Start.State}
}

// Begin gives the input of the machine to the first state. It is also the output if no state runs.
func (x *workCosts) Begin(_ *ir.Task, m *ir.Machine, in *runs) *runs {
	costs := &machineCosts{
		given: in.given, item: in.item, spent: map[*ir.State]spending{}, all: in.data, last: map[*ir.State]data{}, grown: map[*ir.State]int{},
	}
	for _, row := range m.Rows() {
		if row.Key.Value == ir.OnPause {
			costs.answer = builtin.SizeOfJSON(builtin.QuotedSize(x.options.Input))
		}
	}
	x.machines[m] = costs
	out := *in
	out.value = in.given

	return &out
}

// Event changes no size.
func (*workCosts) Event(_ interp.StateVisit[*runs], _ string, in *runs) *runs { return in }

// Take gives the input of the machine to the next state, or a person's answer after a pause.
func (x *workCosts) Take(at interp.StateVisit[*runs], move interp.Move, in *runs) *runs {
	out := *in
	out.given = x.machines[at.Machine].given
	if move.Row != nil && move.Row.Key.Value == ir.OnPause {
		out.given = x.machines[at.Machine].answer
		out.value = out.given
	}

	return &out
}

// Stop ends a machine with the output of the last state.
func (x *workCosts) Stop(at interp.StateVisit[*runs], _ bool, in *runs) *runs {
	x.machines[at.Machine].addData(in.data)

	return in
}

// Stall does nothing, because it spends nothing.
func (*workCosts) Stall(interp.StateVisit[*runs], *runs) {}

// Finish records the bounds of the states of a machine.
func (x *workCosts) Finish(_ *ir.Task, m *ir.Machine, ends interp.Ends[*runs]) interp.Ends[*runs] {
	for _, s := range m.States {
		if s.Body != nil && !s.End {
			x.analysis.recordState(machineState{x.agent, s}, bound{most: x.machines[m].spent[s].used})
		}
	}

	return ends
}

// recordSpending records the spending of a state's steps.
func (m *machineCosts) recordSpending(s *ir.State, inner interp.Ends[*runs]) {
	for _, behind := range []*runs{inner.Done, inner.Failed} {
		if behind != nil {
			m.spent[s] = m.spent[s].either(behind.spent)
		}
	}
}

// addData adds the data of a visit.
func (m *machineCosts) addData(d data) {
	if !m.all.tree.covers(d.tree) {
		m.all, m.hasGrown = m.all.union(d), true
	}
}

// dataInState returns the data of a state that is entered in a step.
func (m *machineCosts) dataInState(step int, s *ir.State, in data) data {
	if step != m.step {
		m.isJoined = m.isJoined || step > exactRounds || m.visits > exactPaths && !m.hasGrown
		m.step, m.hasGrown = step, false
	}
	m.visits++
	m.addData(in)
	if !m.isJoined {
		return in
	}
	if before, isKnown := m.last[s]; isKnown && before != m.all {
		m.grown[s]++
		if m.grown[s] > exactRounds {
			m.all = m.all.unboundGrowth(before)
		}
	}
	m.last[s] = m.all

	return m.all
}

// Settled returns the data of all visits after it has stopped growing.
func (x *workCosts) Settled(m *ir.Machine) (all *runs, ok bool) {
	costs := x.machines[m]
	if !costs.isJoined || costs.hasGrown {
		return nil, false
	}
	given := costs.given.Or(costs.answer)

	return &runs{inside: inside{costs.all, given, costs.item}, input: given, previous: given}, true
}
