package can

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// machineTexts is the domain that follows facts through a machine in whose states agents run: each is
// given the value of the one before it. Between an agent and the row that its key takes, facts are
// named after the key.
type machineTexts struct{ patternTexts }

// machine follows a fact through a machine in whose states agents run.
func (x *analysis) machine(r *result, a *ir.Agent, m *ir.Machine, from fact) {
	machine := x.facts.Machine(m)
	if machine == nil || machine.Start == nil || m.External {
		return
	}
	w := &machineTexts{patternTexts{texts{x, a}}}
	ends := interp.New(w, interp.Config{IsPossible: w.isPossible}).Machine(m, facts{from: new(trace)})
	r.finish(ends)
}

// Enter begins a state with all facts.
func (w *machineTexts) Enter(b interp.Block, in facts) []interp.Entry[facts] {
	begin := Step{Do: "enter", Agent: w.agent.Name.Value, State: b.State.Name.Value}

	return []interp.Entry[facts]{{Start: in.with(begin)}}
}

// Leave returns how a state ends.
func (*machineTexts) Leave(
	_ interp.Block, _ facts, _ interp.Entry[facts], inner interp.Ends[facts],
) interp.Ends[facts] {
	return inner
}

// RunState runs the agent of a state.
func (w *machineTexts) RunState(at interp.At[facts], in facts) interp.Ends[facts] {
	r, done, failed := newResult(), facts{}, facts{}
	for _, from := range in.sorted() {
		r.behind(in[from], w.analysis.agent(at.State.Agent, from), func(k key, name fact, t *trace) {
			switch {
			case name == failure:
				failed.add(failure, t)
			case !name.isOf(context): // that of a workflow ends with it
				done.add(name.withKey(k), t)
			}
		})
	}

	return interp.Ends[facts]{Done: done, Failed: failed, Noted: noted(r)}
}

// Fire lets a signal come in each state.
func (w *machineTexts) Fire(_ interp.At[facts], fired ir.KeySignal, in facts) facts {
	signaled := in.with(Step{Do: "finish", open: "a signal decides"})

	return signaled.withKey(keyOf(fired.Key))
}

// SplitReturned returns the facts behind a kind of return, and the others.
func (*machineTexts) SplitReturned(in facts, kind ir.ReturnKey) (returned, others facts) {
	returned, others = facts{}, facts{}
	for name, t := range in {
		if name.key() == returnKeys[kind] {
			returned.add(name, t)
		} else {
			others.add(name, t)
		}
	}

	return returned, others
}

// Return puts another kind of return in the place of one.
func (*machineTexts) Return(in facts, kind ir.ReturnKey) facts { return in.withKey(returnKeys[kind]) }

// SplitKey returns the facts behind a key, and the others.
func (*machineTexts) SplitKey(in facts, name string) (with, others facts) {
	with, others = facts{}, facts{}
	for of, t := range in {
		k := of.key()
		_, isKnown := k.name()
		switch {
		case !k.canBe(name):
			others.add(of, t)
		case isKnown:
			with.add(of, t)
		default:
			with.add(of.withKey(keyOf(name)), t.then(Step{Do: "finish", Key: name}))
			others.add(of.withKey(k.but(name)), t)
		}
	}

	return with, others
}

// Choose lets all runs take each row that a guard does not hide, and notes on their paths what guards
// say: those that are tried before say no.
func (w *machineTexts) Choose(c interp.Choice, in facts) interp.Chosen[facts] {
	chosen := interp.Chosen[facts]{Cases: make([]facts, c.Cases)}
	asked := Step{Do: "finish"}
	for i, row := range c.Rows {
		taken := asked
		taken.guards = slices.Clone(asked.guards)
		taken.guard(row, true)
		if w.passes(row, &taken) {
			chosen.Cases[i] = in.behindRow(row, taken)
		}
		if row.When == nil {
			return chosen
		}
		asked.guard(row, false)
	}
	chosen.Other = in.with(asked)

	return chosen
}

// behindRow adds to each path that a row is taken. One of the catch-all is taken with another key
// than those that have rows, unless the key is known.
func (f facts) behindRow(row *ir.Row, taken Step) facts {
	out := facts{}
	for name, t := range f {
		finish := taken
		_, isKnown := name.key().name()
		if row.IsCatchAll() && !isKnown {
			finish.Key = ir.CatchAll
		}
		out[name] = t.then(finish)
	}

	return out
}

// guard adds what the guard of a row says.
func (s *Step) guard(row *ir.Row, taken bool) {
	switch {
	case row.When == nil:
	case row.When.Func == nil:
		s.open = "a guard is an expression"
	default:
		s.guards = append(s.guards, verdict{row.When.Func.Name.Value, taken != row.When.Not})
	}
}

// Take gives the next state the value of the one before it. The key is only known at an end.
func (*machineTexts) Take(_ interp.At[facts], move interp.Move, in facts) facts {
	if move.Row == nil && move.Next == nil {
		in = in.with(Step{Do: "finish", open: "it is not known where the state leads"})
	}
	if move.To == nil || move.To.IsMarker() {
		return in
	}
	out := in.withoutKeys()
	if t := out[value]; t != nil {
		out = out.without(value)
		out.add(given, t)
	}

	return out
}

// Finish returns what comes of the agent that the machine is.
func (*machineTexts) Finish(_ *ir.Task, _ *ir.Machine, ends interp.Ends[facts]) interp.Ends[facts] {
	return interp.Ends[facts]{Returned: ends.Done, Failed: ends.Failed.withoutKeys(), Noted: ends.Noted}
}
