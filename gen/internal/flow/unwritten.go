package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// FindUnwritten returns what the steps of a workflow read where no step can have written it: outputs
// of steps, and the fields of the context that conditions read.
func (p *Program) FindUnwritten(w *ir.Flow) []*ir.Access {
	x := &order{
		p: p, outputs: map[*ir.Output]int{}, fields: map[string]*field{}, canBeThere: map[*ir.Access]bool{},
	}
	for i, output := range w.Outputs {
		x.outputs[output] = i
	}
	ir.WalkTasks(w.Body, func(t *ir.Task) { x.addFields(w, t) })
	config := interp.Config{
		Target: p.guess.Target, IsPossible: x.isPossible, IgnoresBounds: true, Retries: maxTries,
	}
	interp.New(x, config).Pipeline(w.Body, new(big.Int))

	return ir.Where(x.reads, func(access *ir.Access) bool { return !x.canBeThere[access] })
}

// order is the domain that follows what steps may have written. A state is the set of the numbers of
// what is there in some run, or nil if there is no run.
type order struct {
	p *Program
	// outputs has the numbers of step outputs, and fields has the fields of the context.
	outputs map[*ir.Output]int
	fields  map[string]*field
	// reads are the reads that runs get to, and canBeThere says for which of them something is written.
	reads      []*ir.Access
	canBeThere map[*ir.Access]bool
}

// field is a field of the context that conditions read.
type field struct {
	number int
	path   []string
}

// addFields adds the fields of the context that the conditions of a task read, and that some task
// writes.
func (x *order) addFields(w *ir.Flow, t *ir.Task) {
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
func (x *order) isPossible(m *ir.Machine, from *ir.State, move interp.Move) bool {
	return x.p.machines[m].MayTake(from, move)
}

// noteReads returns a visitor of what is read in a state, but for fields of the context, which count
// in conditions alone.
func (x *order) noteReads(in *big.Int) func(*ir.Access) {
	return func(access *ir.Access) {
		if number, isKnown := x.outputs[access.Output]; isKnown && access.Root == ir.RootStep {
			x.noteRead(access, in.Bit(number) == 1)
		}
	}
}

// noteCondition notes what a condition reads in a state.
func (x *order) noteCondition(condition *ir.Formula, in *big.Int) {
	condition.Walk(x.noteReads(in))
	condition.Walk(func(access *ir.Access) {
		if f := x.fields[expr.NameOf(access)]; f != nil {
			x.noteRead(access, in.Bit(f.number) == 1)
		}
	})
}

// noteRead notes a read that a run gets to.
func (x *order) noteRead(access *ir.Access, canBeThere bool) {
	known, isKnown := x.canBeThere[access]
	if !isKnown {
		x.reads = append(x.reads, access)
	}
	x.canBeThere[access] = known || canBeThere
}

// None is the state without runs.
func (x *order) None() *big.Int { return nil }

// IsNone reports whether a state has no runs.
func (x *order) IsNone(s *big.Int) bool { return s == nil }

// Join returns what is written in either state.
func (x *order) Join(a, b *big.Int) *big.Int {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}

	return new(big.Int).Or(a, b)
}

// Fresh returns both states together, if the second one has something that the first one lacks.
func (x *order) Fresh(seen, s *big.Int) (fresh, all *big.Int) {
	all = x.Join(seen, s)
	if s == nil || seen != nil && all.Cmp(seen) == 0 {
		return nil, all
	}

	return all, all
}

// Give notes what a task reads before it begins.
func (x *order) Give(t *ir.Task, in *big.Int) *big.Int {
	t.WalkInputs(x.noteReads(in))
	if do, isBranch := t.Do.(*ir.Branch); isBranch {
		x.noteCondition(do.Key, in)
	}

	return in
}

// Do ends a task without steps of its own in each way.
func (x *order) Do(t *ir.Task, given *big.Int) interp.Ends[*big.Int] {
	ends := interp.Ends[*big.Int]{Done: given, Failed: given}
	if _, returns := t.Do.(*ir.Return); returns {
		ends.Done, ends.Returned = nil, given
	}

	return ends
}

// Keep adds what a task has written.
func (x *order) Keep(t *ir.Task, in *big.Int) interp.Ends[*big.Int] {
	if do, isLoop := t.Do.(*ir.Loop); isLoop {
		do.Result.Walk(x.noteReads(in))
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

// Retry continues in the state in which a task has failed.
func (x *order) Retry(_ *ir.Task, _, failed *big.Int) *big.Int { return failed }

// Enter begins a block once for each state.
func (x *order) Enter(_ interp.Block, in *big.Int) []interp.Entry[*big.Int] {
	return []interp.Entry[*big.Int]{{Start: in, Key: string(in.Bytes())}}
}

// Leave ends a block as its steps have ended.
func (x *order) Leave(
	_ interp.Block, _ *big.Int, _ interp.Entry[*big.Int], inner interp.Ends[*big.Int],
) interp.Ends[*big.Int] {
	return inner
}

// Decide lets a function decide, or fail.
func (x *order) Decide(_ *ir.Task, in *big.Int) interp.Ends[*big.Int] {
	return interp.Ends[*big.Int]{Done: in, Failed: in}
}

// Choose takes every case, and notes what the conditions of a loop and of rows read.
func (x *order) Choose(c interp.Choice, in *big.Int) interp.Chosen[*big.Int] {
	if c.Loop != nil {
		x.noteCondition(c.Loop.Exit, in)
	}
	for _, row := range c.Rows {
		if row.When != nil {
			x.noteCondition(row.When.Formula, in)
		}
	}
	chosen := interp.Chosen[*big.Int]{Other: in, Blocked: in}
	for range c.Cases {
		chosen.Cases = append(chosen.Cases, in)
	}

	return chosen
}

// Item continues with each item, and behind the list.
func (x *order) Item(_ *ir.Loop, _ int, in *big.Int) (next, skipped *big.Int) { return in, in }

// Tolerate continues behind a turn that failed.
func (x *order) Tolerate(_ *ir.Loop, failed *big.Int) *big.Int { return failed }

// Collect ends a loop over a list.
func (x *order) Collect(_ *ir.Loop, in *big.Int) interp.Ends[*big.Int] {
	return interp.Ends[*big.Int]{Done: in}
}

// Advance continues while rounds write something new.
func (x *order) Advance(p interp.Progress[*big.Int]) interp.Step[*big.Int] {
	fresh, all := x.Fresh(p.Seen, p.After)

	return interp.Step[*big.Int]{Next: fresh, Seen: all}
}

// Fork looks at all runs at once.
func (x *order) Fork(_ *ir.Task, in *big.Int) []*big.Int { return []*big.Int{in} }

// Share keeps what other branches write from a branch.
func (x *order) Share(_ *ir.Task, start *big.Int, _ []interp.Ends[*big.Int]) *big.Int { return start }

// Merge adds what the branches have written, but for the fields of the context that they keep.
func (x *order) Merge(
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
			done = x.Join(done, start)
		}
		ends.Failed = x.Join(ends.Failed, arm.Failed)
		if done == nil {
			return interp.Ends[*big.Int]{Failed: ends.Failed, Paused: ends.Paused}
		}
		ends.Done = x.Join(ends.Done, x.writeBack(do, do.Branches[i], done))
	}

	return ends
}

// writeBack returns the part of what a branch has written that is there behind it.
func (x *order) writeBack(do *ir.Parallel, arm *ir.Arm, written *big.Int) *big.Int {
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
func (x *order) Begin(_ *ir.Task, _ *ir.Machine, in *big.Int) *big.Int { return in }

// Event tries the rows of an event.
func (x *order) Event(_ interp.At[*big.Int], _ string, in *big.Int) *big.Int { return in }

// Take follows a move.
func (x *order) Take(_ interp.At[*big.Int], _ interp.Move, in *big.Int) *big.Int { return in }

// Stop ends a machine.
func (x *order) Stop(_ interp.At[*big.Int], _ bool, in *big.Int) *big.Int { return in }

// Stall leaves a machine that fails as it is.
func (x *order) Stall(interp.At[*big.Int], *big.Int) {}

// Finish returns the ends of a machine.
func (x *order) Finish(
	_ *ir.Task, _ *ir.Machine, ends interp.Ends[*big.Int],
) interp.Ends[*big.Int] {
	return ends
}
