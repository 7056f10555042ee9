package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// FindUnwritten returns what the steps of a workflow read although no step can have written it:
// outputs of steps, and fields of the context in conditions.
func (p *Program) FindUnwritten(w *ir.Flow) []*ir.Access {
	known, isKnown := p.unwritten[w]
	if isKnown {
		return known
	}
	if p.unwritten == nil {
		p.unwritten = map[*ir.Flow][]*ir.Access{}
	}
	p.unwritten[w] = p.findUnwritten(w)

	return p.unwritten[w]
}

func (p *Program) findUnwritten(w *ir.Flow) []*ir.Access {
	x := &writeOrder{
		p: p, outputs: map[*ir.Output]int{}, fields: map[string]*field{}, canBeThere: map[*ir.Access]bool{},
	}
	for i, output := range w.Outputs {
		x.outputs[output] = i
	}
	ir.WalkTasks(w.Body, func(t *ir.Task) { x.addFields(w, t) })
	config := interp.Config{
		Target: p.guess.Target, IsPossible: x.isPossible, IgnoresBounds: true, Retries: maxTries, Starts: p.assumedStarts,
	}
	interp.New(x, config).RunPipeline(w.Body, new(big.Int))
	if p.imports.namesState[w] {
		x.isResumed, config.Starts = true, p.possibleStarts
		interp.New(x, config).RunPipeline(w.Body, new(big.Int))
	}

	return ir.Where(x.reads, func(access *ir.Access) bool { return !x.canBeThere[access] })
}

// possibleStarts returns the states in which a machine may begin.
func (p *Program) possibleStarts(_ *ir.Task, m *ir.Machine) []*ir.State {
	if p.machines[m].BeginsAnywhere {
		return m.States
	}

	return p.assumedStarts(nil, m)
}

// assumedStarts returns the states in which a machine begins if the initial context names none.
func (p *Program) assumedStarts(_ *ir.Task, m *ir.Machine) []*ir.State {
	x := p.machines[m]
	if x.Start == nil {
		return nil
	}

	return ir.Map(x.starts(), func(s *State) *ir.State { return s.State })
}

// writeOrder is the domain of what steps may have written. A state is the set of the numbers that
// some run has written, or nil without runs.
type writeOrder struct {
	p *Program
	// outputs has the numbers of step outputs, and fields has the fields of the context.
	outputs map[*ir.Output]int
	fields  map[string]*field
	// reads are the reads that runs reach. canBeThere reports for which of them something is
	// written.
	reads      []*ir.Access
	canBeThere map[*ir.Access]bool
	// isResumed is set in runs that begin in any state of a machine. They may have written more, but
	// what other runs never read is not reported.
	isResumed bool
}

// field is a field of the context that conditions read.
type field struct {
	number int
	path   []string
}

// addFields adds the fields of the context that the conditions of a task read, and that some task
// writes.
func (x *writeOrder) addFields(w *ir.Flow, t *ir.Task) {
	for _, condition := range t.Conditions() {
		condition.Walk(func(access *ir.Access) {
			name := expr.NameOf(access)
			if access.Root == ir.RootContext && x.fields[name] == nil && isWritten(w, access.PathNames()) {
				x.fields[name] = &field{len(x.outputs) + len(x.fields), access.PathNames()}
			}
		})
	}
}

// isWritten reports whether a task of a workflow may write a field of the context.
func isWritten(w *ir.Flow, path []string) bool {
	found := false
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		found = found || slices.ContainsFunc(t.ContextWrites(), func(w ir.ContextWrite) bool { return w.MayWrite(path) })
	})

	return found
}

// isPossible reports whether some run takes a move of a machine.
func (x *writeOrder) isPossible(m *ir.Machine, from *ir.State, move interp.Move) bool {
	return x.p.machines[m].MayTake(from, move)
}

// readRecorder returns a visitor that records reads in a state, except fields of the context, which
// count only in conditions.
func (x *writeOrder) readRecorder(in *big.Int) func(*ir.Access) {
	return func(access *ir.Access) {
		if number, isKnown := x.outputs[access.Output]; isKnown && access.Root == ir.RootStep {
			x.recordRead(access, in.Bit(number) == 1)
		}
	}
}

// recordCondition records the reads of a condition in a state.
func (x *writeOrder) recordCondition(condition *ir.Formula, in *big.Int) {
	condition.Walk(x.readRecorder(in))
	condition.Walk(func(access *ir.Access) {
		if f := x.fields[expr.NameOf(access)]; f != nil {
			x.recordRead(access, in.Bit(f.number) == 1)
		}
	})
}

// recordRead records a read that a run reaches.
func (x *writeOrder) recordRead(access *ir.Access, canBeThere bool) {
	known, isKnown := x.canBeThere[access]
	switch {
	case isKnown:
	case x.isResumed:
		return
	default:
		x.reads = append(x.reads, access)
	}
	x.canBeThere[access] = known || canBeThere
}

// None returns the state without runs.
func (x *writeOrder) None() *big.Int { return nil }

// IsNone reports whether a state has no runs.
func (x *writeOrder) IsNone(s *big.Int) bool { return s == nil }

// Union returns what is written in either state.
func (x *writeOrder) Union(a, b *big.Int) *big.Int {
	return new(big.Int).Or(a, b)
}

// Fresh returns both states together if the second one has something new.
func (x *writeOrder) Fresh(seen, s *big.Int) (fresh, all *big.Int) {
	all = interp.Join(x, seen, s)
	if s == nil || seen != nil && all.Cmp(seen) == 0 {
		return nil, all
	}

	return all, all
}

// Give records what a task reads before it begins.
func (x *writeOrder) Give(t *ir.Task, in *big.Int) *big.Int {
	t.WalkInputs(x.readRecorder(in))
	if do, isBranch := t.Do.(*ir.Branch); isBranch {
		x.recordCondition(do.Key, in)
	}

	return in
}

// Do ends a task without inner steps in each way.
func (x *writeOrder) Do(t *ir.Task, given *big.Int) interp.Ends[*big.Int] {
	ends := interp.Ends[*big.Int]{Done: given, Failed: given}
	if _, returns := t.Do.(*ir.Return); returns {
		ends.Done, ends.Returned = nil, given
	}

	return ends
}

// Keep adds what a task has written.
func (x *writeOrder) Keep(t *ir.Task, in *big.Int) interp.Ends[*big.Int] {
	if do, isLoop := t.Do.(*ir.Loop); isLoop {
		do.Result.Walk(x.readRecorder(in))
	}
	written := new(big.Int).Set(in)
	if number, isKnown := x.outputs[t.Output]; isKnown {
		written.SetBit(written, number, 1)
	}
	for _, w := range t.ContextWrites() {
		for _, f := range x.fields {
			if w.MayWrite(f.path) {
				written.SetBit(written, f.number, 1)
			}
		}
	}

	ends := interp.Ends[*big.Int]{Done: written, Failed: in}
	if _, asks := t.Do.(*ir.Ask); asks {
		ends.Paused = written
	}

	return ends
}

// Undo returns what is written before a task.
func (x *writeOrder) Undo(_ *ir.Task, given, _ *big.Int) *big.Int { return given }

// Retry continues in the state of the failure.
func (x *writeOrder) Retry(_ *ir.Task, _, failed *big.Int) *big.Int { return failed }

// Enter begins a block once for each state.
func (x *writeOrder) Enter(_ interp.Block, in *big.Int) []interp.Entry[*big.Int] {
	return []interp.Entry[*big.Int]{{Start: in, Key: string(in.Bytes())}}
}

// Leave returns the ends of the steps.
func (x *writeOrder) Leave(
	_ interp.Block, _ *big.Int, _ interp.Entry[*big.Int], inner interp.Ends[*big.Int],
) interp.Ends[*big.Int] {
	return inner
}

// Decide lets a function decide, or fail.
func (x *writeOrder) Decide(_ *ir.Task, in *big.Int) interp.Ends[*big.Int] {
	return interp.Ends[*big.Int]{Done: in, Failed: in}
}

// Choose takes every case, and records what the conditions of a loop and of rows read.
func (x *writeOrder) Choose(c interp.Choice, in *big.Int) interp.Chosen[*big.Int] {
	if c.Loop != nil {
		x.recordCondition(c.Loop.Exit, in)
	}
	for _, row := range c.Rows {
		if row.When != nil {
			x.recordCondition(row.When.Formula, in)
		}
	}
	chosen := interp.Chosen[*big.Int]{Other: in, Blocked: in}
	for range c.Cases {
		chosen.Cases = append(chosen.Cases, in)
	}

	return chosen
}

// Item continues with each item, and after the list.
func (x *writeOrder) Item(_ *ir.Loop, _ int, in *big.Int) (next, skipped *big.Int) { return in, in }

// Tolerate continues after a failed turn.
func (x *writeOrder) Tolerate(_ *ir.Loop, before, _ *big.Int) *big.Int { return before }

// Collect ends a loop over a list.
func (x *writeOrder) Collect(_ *ir.Loop, in *big.Int) interp.Ends[*big.Int] {
	return interp.Ends[*big.Int]{Done: in}
}

// Advance continues while rounds write something new.
func (x *writeOrder) Advance(p interp.Progress[*big.Int]) interp.Step[*big.Int] {
	fresh, all := x.Fresh(p.Seen, p.After)

	return interp.Step[*big.Int]{Next: fresh, Seen: all}
}

// Fork handles all runs at once.
func (x *writeOrder) Fork(_ *ir.Task, in *big.Int) []*big.Int { return []*big.Int{in} }

// Share returns the state before the branches, which do not see each other's writes.
func (x *writeOrder) Share(_ *ir.Task, start *big.Int, _ []interp.Ends[*big.Int]) *big.Int {
	return start
}

// Merge adds what the branches have written, except fields of the context that they do not copy
// back.
func (x *writeOrder) Merge(
	t *ir.Task, start *big.Int, arms []interp.Ends[*big.Int],
) interp.Ends[*big.Int] {
	do := t.Do.(*ir.Parallel)
	ends := interp.Ends[*big.Int]{Done: start}
	if slices.ContainsFunc(arms, func(arm interp.Ends[*big.Int]) bool { return arm.Paused != nil }) {
		ends.Paused = start // an answer that leaves the state undoes what the branches have written
	}
	for i, arm := range arms {
		done := arm.Done
		if do.Failed == ir.FailureIgnored && arm.Failed != nil { // it leaves nothing
			done = interp.Join(x, done, start)
		}
		ends.Failed = interp.Join(x, ends.Failed, arm.Failed)
		if done == nil {
			return interp.Ends[*big.Int]{Failed: ends.Failed, Paused: ends.Paused}
		}
		ends.Done = interp.Join(x, ends.Done, x.writeBack(do, do.Branches[i], done))
	}

	return ends
}

// writeBack returns what a branch has written and copies back.
func (x *writeOrder) writeBack(do *ir.Parallel, arm *ir.Arm, written *big.Int) *big.Int {
	back := new(big.Int).Set(written)
	for _, f := range x.fields {
		isKept := do.Merge == ir.MergeNone || arm.Only && !arm.WritesBack(f.path)
		if isKept {
			back.SetBit(back, f.number, 0)
		}
	}

	return back
}

// Begin enters a machine.
func (x *writeOrder) Begin(_ *ir.Task, _ *ir.Machine, in *big.Int) *big.Int { return in }

// Event tries the rows of an event.
func (x *writeOrder) Event(_ interp.StateVisit[*big.Int], _ string, in *big.Int) *big.Int { return in }

// Take follows a move.
func (x *writeOrder) Take(_ interp.StateVisit[*big.Int], _ interp.Move, in *big.Int) *big.Int {
	return in
}

// Stop ends a machine.
func (x *writeOrder) Stop(_ interp.StateVisit[*big.Int], _ bool, in *big.Int) *big.Int { return in }

// Stall does nothing.
func (x *writeOrder) Stall(interp.StateVisit[*big.Int], *big.Int) {}

// Finish returns the ends of a machine.
func (x *writeOrder) Finish(
	_ *ir.Task, _ *ir.Machine, ends interp.Ends[*big.Int],
) interp.Ends[*big.Int] {
	return ends
}
