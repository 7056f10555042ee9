package can

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machineTexts is the domain of facts in a machine with agents. Each agent receives the value of
// the previous one. Between an agent and the row of its key, facts have the name of the key.
type machineTexts struct{ patternTexts }

// The interpreter finds optional methods by a type assertion. The compiler checks them here.
var _ interp.Keyed[facts] = (*machineTexts)(nil)

// analyzeMachine follows a fact through a machine with agents.
func (x *analysis) analyzeMachine(r *result, a *ir.Agent, m *ir.Machine, from fact) {
	machine := x.facts.Machine(m)
	if machine == nil || machine.Start == nil || m.External {
		return
	}
	w := &machineTexts{patternTexts{texts: texts{x, a}}}
	ends := interp.New(w, interp.Config{IsPossible: w.isPossible}).RunAgentMachine(m, facts{from: new(trace)})
	r.addEnds(ends)
}

// Enter begins a state with all facts.
func (w *machineTexts) Enter(b interp.Block, in facts) []interp.Entry[facts] {
	begin := Step{Do: "enter", Agent: w.agent.Name.Value, State: b.State.Name.Value}

	return []interp.Entry[facts]{{Start: in.withStep(begin)}}
}

// Leave returns the ends of a state.
func (*machineTexts) Leave(
	_ interp.Block, _ facts, _ interp.Entry[facts], inner interp.Ends[facts],
) interp.Ends[facts] {
	return inner
}

// RunState runs the agent of a state.
func (w *machineTexts) RunState(at interp.StateVisit[facts], in facts) interp.Ends[facts] {
	r, done, failed := newResult(), facts{}, facts{}
	for _, from := range in.sortedFacts() {
		r.addAfter(in[from], w.analysis.analyzeAgent(at.State.Agent, from), func(k key, name fact, t *trace) {
			switch {
			case name == failureFact:
				failed.addFact(failureFact, t)
			case !name.isPartOf(contextFact): // the context of a workflow ends with it
				done.addFact(name.withKey(k), t)
			}
		})
	}

	return interp.Ends[facts]{Done: done, Failed: failed, Noted: callFacts(r)}
}

// FireSignal lets a signal arrive in each state.
func (w *machineTexts) FireSignal(_ interp.StateVisit[facts], fired ir.KeySignal, in facts) facts {
	signaled := in.withStep(Step{Do: "finish", openReason: "a signal decides"})

	return signaled.withKey(keyNamed(fired.Key))
}

// SplitReturned returns the facts after a kind of return, and the others.
func (*machineTexts) SplitReturned(in facts, kind ir.ReturnKey) (returned, others facts) {
	returned, others = facts{}, facts{}
	for name, t := range in {
		if name.knownKey() == returnKeys[kind] {
			returned.addFact(name, t)
		} else {
			others.addFact(name, t)
		}
	}

	return returned, others
}

// Return replaces the kind of return.
func (*machineTexts) Return(in facts, kind ir.ReturnKey) facts { return in.withKey(returnKeys[kind]) }

// SplitKey returns the facts with a key, and the others.
func (*machineTexts) SplitKey(in facts, name string) (with, others facts) {
	with, others = facts{}, facts{}
	for of, t := range in {
		k := of.knownKey()
		_, isKnown := k.knownName()
		switch {
		case !k.canBe(name):
			others.addFact(of, t)
		case isKnown:
			with.addFact(of, t)
		default:
			with.addFact(of.withKey(keyNamed(name)), t.withStep(Step{Do: "finish", Key: name}))
			others.addFact(of.withKey(k.withExcluded(name)), t)
		}
	}

	return with, others
}

// Choose lets all runs take each row that no guard hides. Paths record the results of guards: rows
// that are tried earlier fail.
func (w *machineTexts) Choose(c interp.Choice, in facts) interp.Chosen[facts] {
	chosen := interp.Chosen[facts]{Cases: make([]facts, c.Cases)}
	asked := Step{Do: "finish"}
	for i, row := range c.Rows {
		taken := asked
		taken.guards = slices.Clone(asked.guards)
		taken.addVerdict(row, true)
		if w.recordGuard(row, &taken) {
			chosen.Cases[i] = in.afterRow(row, taken)
		}
		if row.When == nil {
			return chosen
		}
		asked.addVerdict(row, false)
	}
	chosen.Other = in.withStep(asked)

	return chosen
}

// afterRow adds a row to each path. The catch-all is taken with a key without a row, unless the key
// is known.
func (f facts) afterRow(row *ir.Row, taken Step) facts {
	out := facts{}
	for name, t := range f {
		finish := taken
		_, isKnown := name.knownKey().knownName()
		if row.IsCatchAll() && !isKnown {
			finish.Key = ir.CatchAll
		}
		out[name] = t.withStep(finish)
	}

	return out
}

// addVerdict adds the result of a row's guard.
func (s *Step) addVerdict(row *ir.Row, taken bool) {
	switch {
	case row.When == nil:
	case row.When.Func == nil:
		s.openReason = "a guard is an expression"
	default:
		s.guards = append(s.guards, verdict{row.When.Func.Name.Value, taken != row.When.Not})
	}
}

// Take gives the value of an agent to the next state. The key is only known at an end.
func (*machineTexts) Take(_ interp.StateVisit[facts], move interp.Move, in facts) facts {
	if move.Row == nil && move.Next == nil {
		in = in.withStep(Step{Do: "finish", openReason: "it is not known where the state leads"})
	}
	if move.To == nil || move.To.IsMarker() {
		return in
	}
	out := in.withoutKeys()
	if t := out[valueFact]; t != nil {
		out = out.withoutValues(valueFact)
		out.addFact(givenFact, t)
	}

	return out
}

// Finish returns the ends of the machine's agent.
func (*machineTexts) Finish(_ *ir.Task, _ *ir.Machine, ends interp.Ends[facts]) interp.Ends[facts] {
	return interp.Ends[facts]{Returned: ends.Done, Failed: ends.Failed.withoutKeys(), Noted: ends.Noted}
}
