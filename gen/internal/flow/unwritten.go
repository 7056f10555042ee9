package flow

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Unwritten returns what the steps of a workflow read of the output of a step that cannot have run
// by then, in the order of the steps: on no way that rows, next_state and branches leave open does
// it run before. A machine may begin in any of its states, where the initial context says so.
func (p *Program) Unwritten(w *ir.Workflow) []*ir.Access {
	u := &unwritten{p: p, index: map[*ir.Output]int{}, entered: map[*ir.State]bitset{}, report: true}
	ir.WalkTasks(w.Body, func(t *ir.Task) { t.WalkExpressions(u.number) })
	if len(u.index) == 0 || w.Body == nil {
		return nil
	}
	u.pipeline(w.Body, nil)

	return u.found
}

// unwritten follows which outputs may have been written.
type unwritten struct {
	p *Program
	// index numbers the outputs that are read: no others count.
	index map[*ir.Output]int
	// entered has what may have been written when a machine reaches a state.
	entered map[*ir.State]bitset
	// report says that what is read too early is noted: of a machine, when nothing is new any more.
	report bool
	found  []*ir.Access
}

func (u *unwritten) number(x ir.Expression) {
	access, isAccess := x.(*ir.Access)
	if !isAccess || access.Root != ir.RootStep || access.Output == nil {
		return
	}
	if _, known := u.index[access.Output]; !known {
		u.index[access.Output] = len(u.index)
	}
}

// reads looks at an expression where no more than before may have been written.
func (u *unwritten) reads(before bitset) func(ir.Expression) {
	return func(x ir.Expression) {
		access, isAccess := x.(*ir.Access)
		if u.report && isAccess && access.Root == ir.RootStep && access.Output != nil && !before.has(u.index[access.Output]) {
			u.found = append(u.found, access)
		}
	}
}

// pipeline returns what may have been written behind the steps of a pipeline.
func (u *unwritten) pipeline(p *ir.Pipeline, before bitset) bitset {
	if p == nil {
		return before
	}
	for _, t := range p.Tasks {
		before = u.task(t, before)
		before = u.written(t, before)
	}

	return before
}

// task returns what may have been written when a task, or one that stands in for it, is over, but
// for its own output.
func (u *unwritten) task(t *ir.Task, before bitset) bitset {
	if t.Retries > 0 {
		before = u.inside(t, before)
	}
	t.WalkGiven(u.reads(before))
	after := u.work(t, before)
	if t.Fallback != nil {
		after = clone(after).union(u.written(t.Fallback, u.task(t.Fallback, after)))
	}

	return after
}

func clone(b bitset) bitset { return append(bitset(nil), b...) }

// written adds the output of a task.
func (u *unwritten) written(t *ir.Task, before bitset) bitset {
	if i, isRead := u.index[t.Output]; isRead && !before.has(i) {
		return clone(before).with(i)
	}

	return before
}

// inside adds the outputs of all tasks inside of one: it may be that they ran in an earlier turn.
func (u *unwritten) inside(t *ir.Task, before bitset) bitset {
	for _, p := range t.Pipelines() {
		ir.WalkTasks(p, func(inner *ir.Task) { before = u.written(inner, before) })
	}

	return before
}

func (u *unwritten) work(t *ir.Task, before bitset) bitset {
	switch do := t.Do.(type) {
	case *ir.Machine:
		return u.machine(do, before)
	case *ir.Repeat:
		after := u.pipeline(do.Body, u.inside(t, before))
		do.Exit.Walk(u.reads(after))
		return after
	case *ir.Each:
		after := u.pipeline(do.Body, u.inside(t, before))
		do.Result.Walk(u.reads(after))
		return after
	}
	after := before
	for _, p := range t.Pipelines() {
		after = clone(after).union(u.pipeline(p, before))
	}

	return after
}

// machine follows a machine until nothing is new.
func (u *unwritten) machine(m *ir.Machine, before bitset) bitset {
	x := u.p.machines[m]
	after, pending, waits := clone(before), append([]*State(nil), x.States...), make([]bool, len(x.States))
	for _, s := range x.States {
		waits[s.Index] = true
		u.entered[s.State] = clone(u.entered[s.State]).union(before)
	}
	behind := make([]bitset, len(x.States))
	for ; len(pending) > 0; pending = pending[1:] {
		s := pending[0]
		waits[s.Index] = false
		if s.End {
			continue
		}
		behind[s.Index] = u.quietly(s.Body, u.entered[s.State])
		after = after.union(behind[s.Index])
		next := s.Next()
		if s.Anywhere || m.Partial {
			next = x.States
		}
		for _, to := range next {
			if more := behind[s.Index].without(u.entered[to.State]); !more.empty() {
				u.entered[to.State] = u.entered[to.State].union(more)
				if !waits[to.Index] {
					waits[to.Index] = true
					pending = append(pending, to)
				}
			}
		}
	}
	u.readsOf(x, behind)

	return after
}

// quietly is pipeline without a report.
func (u *unwritten) quietly(p *ir.Pipeline, before bitset) bitset {
	report := u.report
	u.report = false
	after := u.pipeline(p, before)
	u.report = report

	return after
}

// readsOf looks at what is read in the states of a machine and in the guards of its rows.
func (u *unwritten) readsOf(x *Machine, behind []bitset) {
	if !u.report {
		return
	}
	anywhere := bitset(nil)
	for _, s := range x.States {
		anywhere = anywhere.union(behind[s.Index])
		if !s.End {
			u.pipeline(s.Body, u.entered[s.State])
		}
	}
	for _, row := range x.Machine.Rows() {
		if row.When == nil {
			continue
		}
		if from := x.of[row.From.State]; from != nil && !from.End {
			row.When.Formula.Walk(u.reads(behind[from.Index]))
		} else if row.FromAny() {
			row.When.Formula.Walk(u.reads(anywhere))
		}
	}
}
