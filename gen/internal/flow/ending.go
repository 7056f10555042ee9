package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Ending says how the runs of a workflow end.
type Ending uint8

const (
	// EndingUnknown is that of a workflow of which not all is known.
	EndingUnknown Ending = iota
	// EndsWell: some run ends in which nothing fails that need not.
	EndsWell
	// EndsByFailure: only runs end in which something fails that need not.
	EndsByFailure
	// NeverEnds: no run ends.
	NeverEnds
)

// maxCauses bounds how many tasks are tried to find the one whose failure leads to an end.
const maxCauses = 32

// EndingOf says how the runs of an agent end, if it is a workflow.
func (p *Program) EndingOf(a *ir.Agent) Ending {
	w, isWorkflow := ir.WorkflowOf(a.Node)
	if !isWorkflow {
		return EndingUnknown
	}

	return p.endings[w]
}

// Endless reports whether a task of a workflow that begins in some run never ends well unless something fails that need not: a loop
// whose exit never holds within its turns, a machine that reaches no end within its steps, a conditional without a branch for any
// key, or a task with such a one inside.
func (p *Program) Endless(t *ir.Task) bool { return p.endless[t] }

// NeverEnds reports whether a task of a workflow begins in some run and never ends well, whatever fails.
func (p *Program) NeverEnds(t *ir.Task) bool { return p.doomed[t] }

// Blocked returns the tasks of a workflow that are the reason why it does not end unless something fails: they are endless, and no
// task inside of them is.
func (p *Program) Blocked(w *ir.Flow) (tasks []*ir.Task) {
	ending := p.endings[w]
	if ending != EndsByFailure && ending != NeverEnds {
		return nil
	}
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		if p.endless[t] && !p.HasEndlessInside(t) {
			tasks = append(tasks, t)
		}
	})

	return tasks
}

// HasEndlessInside reports whether a task inside of a task is endless.
func (p *Program) HasEndlessInside(t *ir.Task) bool {
	found := false
	for _, body := range t.Pipelines() {
		ir.WalkTasks(body, func(inside *ir.Task) { found = found || p.endless[inside] })
	}

	return found
}

// UnfitArm returns a branch of a fork that fails whenever the branch has given its output, which
// cannot be reduced with others; nil where there is none.
func (p *Program) UnfitArm(fork *ir.Task) *ir.Arm { return p.unfit[fork] }

// RunsBlocked reports whether a task runs another workflow that does not end unless something fails.
func (p *Program) RunsBlocked(t *ir.Task) bool {
	ending := p.endings[workflowIn(t)]

	return ending == NeverEnds || ending == EndsByFailure
}

// workflowIn returns the workflow that a task runs and with which it fails; nil for any other task.
func workflowIn(t *ir.Task) *ir.Flow {
	var inside *ir.AgentRef
	switch do := t.Do.(type) {
	case *ir.Import:
		if do.OnFailure == ir.FailureAbort {
			inside = do.Agent
		}
	case *ir.Run:
		inside = do.Agent
	}
	if inside == nil || inside.Agent == nil {
		return nil
	}
	w, _ := ir.WorkflowOf(inside.Agent.Node)

	return w
}

// FailureThatEnds returns a task whose failure alone lets an endless task of a workflow end well; nil where there is none, or where
// that is not known.
func (p *Program) FailureThatEnds(w *ir.Flow, endless *ir.Task) *ir.Task {
	return p.causeOf(w, func(x *paths) bool { return x.ended[endless] })
}

// FailureThatFrees returns a task whose failure alone lets a machine of a workflow end that is in one of some states; nil where
// there is none, or where that is not known.
func (p *Program) FailureThatFrees(w *ir.Flow, m *Machine, group []*State) *ir.Task {
	return p.causeOf(w, func(x *paths) bool {
		found := x.machines[m.Machine]

		return found != nil && !m.isStuckIn(found.finish(), group)
	})
}

// causeOf returns the first task of a workflow whose failure alone lets something happen.
func (p *Program) causeOf(w *ir.Flow, happens func(*paths) bool) (cause *ir.Task) {
	if p.endings[w] == EndingUnknown {
		return nil
	}
	tried := 0
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		if cause != nil || tried == maxCauses || !mayFailItself(t) || len(t.Pipelines()) > 0 {
			return
		}
		tried++
		x := p.pathsOf(w, func(other *ir.Task) bool { return other == t }, p.without[w])
		x.run(w.Body)
		if !x.gaveUp && happens(x) {
			cause = t
		}
	})

	return cause
}

// NeverEndsFrom reports whether the machine ends in no run that is in one of some states, whatever fails.
func (x *Machine) NeverEndsFrom(group []*State) bool {
	return x.possible != nil && x.isStuckIn(x.possible, group)
}

// isStuckIn reports whether copies of some states do not lead to an end.
func (x *Machine) isStuckIn(copies *Machine, group []*State) bool {
	reached, free, _ := copies.ways()
	for i, c := range copies.States {
		if reached[i] && free[i] && slices.Contains(group, x.of[c.State]) {
			return false
		}
	}

	return true
}

// MayBeMissing reports whether some run fails because a name in a condition has no value there. A
// workflow of which not all values are followed has no such names.
func (p *Program) MayBeMissing(access *ir.Access) bool { return p.missing[access] }
