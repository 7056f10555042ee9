package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Ending is how the runs of a workflow end.
type Ending uint8

const (
	// EndingUnknown is the ending of a workflow that is not completely known.
	EndingUnknown Ending = iota
	// EndsWell means that some run ends without an avoidable failure.
	EndsWell
	// EndsByFailure means that runs end only with an avoidable failure.
	EndsByFailure
	// NeverEnds means that no run ends.
	NeverEnds
)

// maxCauses bounds the tasks that are tried to find one whose failure leads to an end.
const maxCauses = 32

// EndingOf returns how the runs of a workflow end. It is EndingUnknown for any other agent.
func (p *Program) EndingOf(a *ir.Agent) Ending {
	w, isWorkflow := ir.WorkflowOf(a.Node)
	if !isWorkflow {
		return EndingUnknown
	}

	return p.endings[w]
}

// IsEndless reports whether a task of a workflow starts in some run and never ends well without an
// avoidable failure. It is a loop whose exit never holds within its turns, a machine that reaches
// no end within its steps, a conditional without a branch for any key, or a task that contains one.
func (p *Program) IsEndless(t *ir.Task) bool { return p.endless[t] }

// NeverEnds reports whether a task of a workflow starts in some run and never ends well, whatever
// fails.
func (p *Program) NeverEnds(t *ir.Task) bool { return p.neverEnding[t] }

// NeverBegins reports whether no run begins a task of a workflow.
func (p *Program) NeverBegins(t *ir.Task) bool { return p.neverBegins[t] }

// BlockedTasks returns the innermost endless tasks because of which a workflow does not end without
// an avoidable failure.
func (p *Program) BlockedTasks(w *ir.Flow) (tasks []*ir.Task) {
	ending := p.endings[w]
	if ending != EndsByFailure && ending != NeverEnds {
		return nil
	}

	return p.findBlocking(w.Body)
}

// findBlocking returns the innermost endless tasks of a body. Inside of a task that can end well none
// counts: it may fail there, such as in a branch whose failure is ignored, or may not be begun.
func (p *Program) findBlocking(body *ir.Pipeline) (tasks []*ir.Task) {
	if body == nil {
		return nil
	}
	for _, t := range body.Tasks {
		if p.endless[t] {
			tasks = append(tasks, p.findBlockingInside(t)...)
		}
	}

	return tasks
}

// findBlockingInside returns the innermost endless tasks of an endless task, or the task itself.
func (p *Program) findBlockingInside(t *ir.Task) (tasks []*ir.Task) {
	for _, inside := range t.Pipelines() {
		tasks = append(tasks, p.findBlocking(inside)...)
	}
	if len(tasks) == 0 {
		return []*ir.Task{t}
	}

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

// UnfitArm returns a branch of a fork that always fails the step, because its output cannot be
// reduced with others; nil if there is none.
func (p *Program) UnfitArm(fork *ir.Task) *ir.Arm { return p.unfit[fork] }

// MisfitOf returns a write of a task whose value does not fit the declared context in some run; nil
// if there is none.
func (p *Program) MisfitOf(t *ir.Task) *ir.ContextWrite { return p.misfits[t] }

// RefusalOf returns the field because of which an import does not take the inherited context in
// some run; nil if there is none.
func (p *Program) RefusalOf(t *ir.Task) *Refusal { return p.refusals[t] }

// RunsBlocked reports whether a task runs another workflow that does not end without an avoidable
// failure.
func (p *Program) RunsBlocked(t *ir.Task) bool {
	ending := p.endings[calledWorkflow(t)]

	return ending == NeverEnds || ending == EndsByFailure
}

// calledWorkflow returns the workflow that a task runs and whose failure fails the task; nil for
// any other task.
func calledWorkflow(t *ir.Task) *ir.Flow {
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

// FailureThatEnds returns a task whose failure alone lets an endless task of a workflow end well;
// nil if there is none, or it is not known.
func (p *Program) FailureThatEnds(w *ir.Flow, endless *ir.Task) *ir.Task {
	return p.findCause(w, func(x *paths) bool { return x.ended[endless] })
}

// FailureThatFrees returns a task whose failure alone lets a machine of a workflow end from some
// states; nil if there is none, or it is not known.
func (p *Program) FailureThatFrees(w *ir.Flow, m *Machine, group []*State) *ir.Task {
	return p.findCause(w, func(x *paths) bool {
		found := x.machines[m.Machine]

		return found != nil && !m.isStuckIn(found.finish(), group)
	})
}

// findCause returns the first task of a workflow whose failure alone has an effect.
func (p *Program) findCause(w *ir.Flow, happens func(*paths) bool) (cause *ir.Task) {
	if p.endings[w] == EndingUnknown {
		return nil
	}
	tried := 0
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		if cause != nil || tried == maxCauses || !mayFailItself(t) || len(t.Pipelines()) > 0 {
			return
		}
		tried++
		x := p.newPaths(w, func(other *ir.Task) bool { return other == t }, p.leftOut[w])
		x.followWorkflow(w.Body)
		if !x.hasGivenUp && happens(x) {
			cause = t
		}
	})

	return cause
}

// NeverEndsFrom reports whether the machine never ends from some states, whatever fails.
func (x *Machine) NeverEndsFrom(group []*State) bool {
	return x.possible != nil && x.isStuckIn(x.possible, group)
}

// isStuckIn reports whether no copy of some states leads to an end.
func (x *Machine) isStuckIn(copies *Machine, group []*State) bool {
	reached, free, _ := copies.escapes()
	for i, c := range copies.States {
		if reached[i] && free[i] && slices.Contains(group, x.stateOf[c.State]) {
			return false
		}
	}

	return true
}

// MayBeMissing reports whether some run fails because a name in a condition has no value. It is
// false in a workflow whose values are not all followed.
func (p *Program) MayBeMissing(access *ir.Access) bool { return p.missing[access] }
