package cost

import (
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// fsmCosts is the domain that follows the sizes of values through a machine in whose states agents
// run: each is given the value of the one before it. The keys with which they finish are not known.
// All but the first visit of a state is looked at as part of a graph.
type fsmCosts struct {
	workCosts
	at ir.Place
	// own are the bounds of the states. given is the size of what each was given the last time, and
	// grown counts how often that was more than before.
	own   map[*ir.State]bound
	given map[*ir.State]extent
	grown map[*ir.State]int
}

// The interpreter finds optional methods by a type assertion. The compiler checks them here.
var (
	_ interp.Keyed[*runs]        = (*fsmCosts)(nil)
	_ interp.Extrapolator[*runs] = (*fsmCosts)(nil)
)

// boundMachine returns the bound of a machine in whose states agents run, and the size of its value.
func (x *analysis) boundMachine(a *ir.Agent, m *ir.Machine, input Amount, at ir.Place) (bound, Amount) {
	facts := x.facts.Machine(m)
	isRun := facts != nil && facts.Start != nil && m.MaxSteps > 0
	if !isRun {
		return nothing, input
	}
	costs := &fsmCosts{
		workCosts: workCosts{analysis: x, agent: a}, at: at,
		own: map[*ir.State]bound{}, given: map[*ir.State]extent{}, grown: map[*ir.State]int{},
	}
	config := interp.Config{IsPossible: costs.isPossible, MaxVisitsApart: maxVisitsApart}
	ends := interp.New[*runs](costs, config).RunAgentMachine(m, &runs{inside: inside{given: builtin.SizeOfText(input)}})
	value := Amount(0)
	if ends.Done != nil {
		value = ends.Done.value.Text
	}

	return boundOfRuns(ends), value
}

// Enter begins a state with what it is given.
func (*fsmCosts) Enter(_ interp.Block, in *runs) []interp.Entry[*runs] {
	return []interp.Entry[*runs]{{Start: &runs{inside: in.inside}}}
}

// Leave returns how a state ends.
func (*fsmCosts) Leave(
	_ interp.Block, _ *runs, _ interp.Entry[*runs], inner interp.Ends[*runs],
) interp.Ends[*runs] {
	return inner
}

// RunState runs the agent of a state. What it is given is unbounded once it has grown too often.
func (x *fsmCosts) RunState(at interp.StateVisit[*runs], in *runs) interp.Ends[*runs] {
	s, given := at.State, in.given
	last, isKnown := x.given[s]
	if isKnown && !last.Covers(given) {
		x.grown[s]++
	}
	if x.grown[s] > exactRounds {
		given = unboundedExtent
	}
	x.given[s] = given
	b, value := x.boundAgent(s.Agent, given.Text, s.Place().Within(x.at))
	x.own[s] = x.own[s].either(b)
	done, failed := boundSpending(b)
	ends := interp.Ends[*runs]{Failed: &runs{spent: failed}}
	if b.canEndWell {
		ends.Done = &runs{value: builtin.SizeOfText(value), spent: done}
	}

	return ends
}

// FireSignal adds no runs: a signal costs nothing, and the key that it fires is not known.
func (*fsmCosts) FireSignal(interp.StateVisit[*runs], ir.KeySignal, *runs) *runs { return nil }

// SplitReturned splits nothing: how the agent returns here is part of its bound.
func (*fsmCosts) SplitReturned(in *runs, _ ir.ReturnKey) (returned, others *runs) { return nil, in }

// Return returns the same runs: their key costs nothing.
func (*fsmCosts) Return(in *runs, _ ir.ReturnKey) *runs { return in }

// SplitKey lets all runs have the key, and lack it.
func (*fsmCosts) SplitKey(in *runs, _ string) (with, others *runs) { return in, in }

// Choose lets all runs take each row, or none.
func (*fsmCosts) Choose(c interp.Choice, in *runs) interp.Chosen[*runs] {
	chosen := interp.Chosen[*runs]{Other: in}
	for range c.Cases {
		chosen.Cases = append(chosen.Cases, in)
	}

	return chosen
}

// Begin begins a machine.
func (*fsmCosts) Begin(_ *ir.Task, _ *ir.Machine, in *runs) *runs { return in }

// Take gives the next state the value of the one before it.
func (*fsmCosts) Take(_ interp.StateVisit[*runs], _ interp.Move, in *runs) *runs {
	return &runs{inside: inside{given: in.value}, value: in.value, spent: in.spent}
}

// Stop ends a machine. What was used before a state in which nothing runs is part of the way there.
func (*fsmCosts) Stop(at interp.StateVisit[*runs], _ bool, in *runs) *runs {
	if at.State.IsMarker() {
		return &runs{value: in.value}
	}

	return in
}

// Finish keeps the bounds of the states.
func (x *fsmCosts) Finish(_ *ir.Task, m *ir.Machine, ends interp.Ends[*runs]) interp.Ends[*runs] {
	for _, s := range m.States {
		own, isRun := x.own[s]
		if isRun {
			x.recordState(machineState{x.agent, s}, own)
		}
	}

	return ends
}

// Settled has all states looked at as parts of a graph, once the first one was run with what the
// machine is given.
func (x *fsmCosts) Settled(*ir.Machine) (all *runs, ok bool) { return nil, len(x.own) > 0 }
