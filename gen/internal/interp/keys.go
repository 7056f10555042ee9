package interp

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Keyed is a [Domain] of machines whose states have no steps. There the event of a state is the key
// with which its agent finishes.
type Keyed[S any] interface {
	// RunState runs the agent of a state.
	RunState(at StateVisit[S], in S) Ends[S]
	// FireSignal returns the runs in whose state a signal puts another key in the place of the
	// agent's.
	FireSignal(at StateVisit[S], fired ir.KeySignal, in S) S
	// SplitReturned returns the runs whose agent has ended with a return of a kind, and the others.
	SplitReturned(in S, kind ir.ReturnKey) (returned, others S)
	// Return returns runs as if their agent had ended with a return of another kind.
	Return(in S, kind ir.ReturnKey) S
	// SplitKey returns the runs with a key, and the others. Runs whose key is not known are among
	// both.
	SplitKey(in S, key string) (with, others S)
}

// RunAgentMachine runs the machine of an agent, for a domain that is [Keyed].
func (x *Interp[S]) RunAgentMachine(m *ir.Machine, in S) Ends[S] {
	return x.runMachine(&machineRun[S]{machine: m}, in)
}

// RunGate runs the machine of a gate, for a domain that is [Keyed]. In each state its agent does one
// of the actions that are the keys of rows.
func (x *Interp[S]) RunGate(g *ir.Gate, in S) Ends[S] {
	return x.runMachine(&machineRun[S]{machine: g.Machine, gate: g}, in)
}

// hasSteps reports whether the states of a machine have steps: then it is a step of a workflow.
func (r *machineRun[S]) hasSteps() bool { return r.task != nil }

// runBody runs the steps of a state, or what there is without steps.
func (r *machineRun[S]) runBody(b Block, at StateVisit[S]) Ends[S] {
	if r.hasSteps() {
		return r.summarize(b, at.Entry)
	}

	return r.keyed().RunState(at, at.Entry.Start)
}

// keyed returns the domain of a machine whose states have no steps.
func (r *machineRun[S]) keyed() Keyed[S] { return r.domain.(Keyed[S]) }

// followKeys follows the keys behind a state without steps. The key of a terminal is the key
// of the machine. Everywhere else the rows of the key are tried, then those of the catch-all.
func (r *machineRun[S]) followKeys(at StateVisit[S], in S) {
	if r.domain.IsNone(in) {
		return
	}
	s, routes, found := at.State, r.table.routesOf(at.State), in
	for _, fired := range r.machine.KeySignals(s) {
		in = Join(r.domain, in, r.keyed().FireSignal(at, fired, found))
	}
	switch {
	case r.gate != nil:
		r.followActions(at, in)
	case s.IsTerminal():
		r.ends.Done = Join(r.domain, r.ends.Done, r.domain.Stop(at, false, in))
	case s.Always != nil:
		r.takeMove(at, *routes.unconditional, in)
	default:
		r.followRows(at, r.finishLimited(at, in))
	}
	if routes.leadsAnywhere {
		r.takeAnyMove(at, in)
	}
}

// followActions follows the next action of a gate's agent. It can finish without a row where the
// gate permits that in every state. An action without a row that is taken is refused.
func (r *machineRun[S]) followActions(at StateVisit[S], in S) {
	if r.gate.Permits(ir.FinishAction) {
		r.ends.Done = Join(r.domain, r.ends.Done, r.domain.Stop(at, true, in))
	}
	refused := r.tryKeys(at, in)
	if !r.domain.IsNone(refused) {
		r.domain.Stall(at, refused)
	}
}

// finishes reports whether a move ends the machine. Of a gate only the action finish does, wherever
// its row leads.
func (r *machineRun[S]) finishes(move Move) bool {
	if r.gate != nil {
		return move.Row != nil && move.Row.Key.Value == ir.FinishAction
	}

	return move.Row != nil && move.Row.End
}

// finishLimited gives the runs whose agent has reached a limit the key with which they finish where
// [ir.ExhaustedKey] has no row. What is around the machine may have one: so a key that can be the
// machine's stays as it is, too.
func (r *machineRun[S]) finishLimited(at StateVisit[S], in S) S {
	if slices.ContainsFunc(r.table.routesOf(at.State).keys, isExhausted) {
		return in
	}
	done, others := r.keyed().SplitReturned(in, ir.KeyExhausted)
	failed, others := r.keyed().SplitReturned(others, ir.KeyUnfinished)
	others = Join(r.domain, others, r.keyed().Return(done, ir.KeyDone))
	if !at.State.Place().PassesKeyOn() {
		r.ends = r.addFailed(r.ends, failed)
		return others
	}
	passed := r.keyed().Return(done, ir.KeyUnfinished) // without a row they are done, here

	return Join(r.domain, others, Join(r.domain, passed, failed))
}

func isExhausted(key string) bool { return ir.FoldKey(key) == ir.ExhaustedKey }

// followRows tries the rows of each key. Without one that is taken the machine fails.
func (r *machineRun[S]) followRows(at StateVisit[S], in S) {
	missed := r.tryKeys(at, in)
	if !r.domain.IsNone(missed) {
		r.domain.Stall(at, missed)
		r.ends = r.addFailed(r.ends, missed)
	}
}

// tryKeys tries the rows of each key, then those of the catch-all, and returns the runs that take
// none.
func (r *machineRun[S]) tryKeys(at StateVisit[S], in S) (missed S) {
	rest, missed := in, r.domain.None()
	for _, key := range r.table.routesOf(at.State).keys {
		var with S
		with, rest = r.keyed().SplitKey(rest, key)
		missed = Join(r.domain, missed, r.tryRows(at, key, with))
	}

	return r.tryRows(at, ir.CatchAll, Join(r.domain, rest, missed))
}
