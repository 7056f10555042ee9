package statemachine

import (
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// frame is a pipeline as the place in which steps are.
type frame struct {
	kind frameKind
	// up is the pipeline of the step that runs this one, index is which of its steps that is; nil at the top.
	up    *frame
	index int
	// fallback says that the step which runs the pipeline is a fallback.
	fallback bool
	// input is what is known of what the pipeline is given. item is the item of the nearest map around it; nil without
	// one.
	input ir.Type
	item  *ir.Type

	pipeline *ir.Pipeline
}

// frameKind says how a pipeline is run.
type frameKind uint8

const (
	atTop    frameKind = iota
	ofBranch           // one of several
	ofSide             // beside others, with its own copy of the context
	ofTurn             // several times
	ofItem             // for each item
	ofState            // whenever the machine enters the state
)

// inside is the frame of a pipeline that the step at the spot runs.
func (s spot) inside(kind frameKind, input ir.Type) *frame {
	return &frame{kind: kind, up: s.frame, index: s.index, input: dynamic(input), item: s.frame.item}
}

// again reports whether the pipeline can be run more than once in a run.
func (f *frame) again() bool {
	for ; f != nil; f = f.up {
		if f.kind >= ofTurn {
			return true
		}
	}

	return false
}

// depth is how many steps are around the pipeline.
func (f *frame) depth() int {
	n := 0
	for ; f.up != nil; f = f.up {
		n++
	}

	return n
}

// spot is a place among the steps of a pipeline: that of the step at index, or behind the last one.
type spot struct {
	frame *frame
	index int
	// behind says that the place is behind the pipelines that the step runs, and before the step's own output.
	behind bool
}

// endOf is the place behind the last step of a pipeline.
func endOf(f *frame) spot { return spot{frame: f, index: len(f.pipeline.Tasks)} }

// anywhere is the place of what is used by several steps, such as the prompt of an agent.
var anywhere = spot{}

// out returns the spot of the step that runs the pipeline of s.
func (s spot) out() spot { return spot{frame: s.frame.up, index: s.frame.index} }

// previous is what the step at the spot is given when it does not say: the output of the step before, or the pipeline's
// input.
func (s spot) previous() *ir.Access {
	switch {
	case s.frame == nil:
		return &ir.Access{Root: ir.RootInput}
	case s.index == 0:
		return &ir.Access{Root: ir.RootInput, Type: s.frame.input}
	}

	t := s.frame.pipeline.Tasks[s.index-1] // which has just run

	return &ir.Access{Root: ir.RootStep, Output: t.Output, Type: t.Output.Type, Maybe: mayGiveNone(t)}
}

// mayGiveNone reports whether a step can go well and have no output.
func mayGiveNone(t *ir.Task) bool {
	do, ok := t.Do.(*ir.Import)

	return ok && do.OnFailure == ir.FailureSkip
}

// namedSteps are the steps of one name.
type namedSteps struct {
	output *ir.Output
	steps  []standing
}

// standing is a step and where it is. A fallback is where the step is that it replaces.
type standing struct {
	at       spot
	task     *ir.Task
	fallback bool
}

// ran says whether one of the steps has given its output when a place is reached.
func (n *namedSteps) ran(at spot) expr.Ran {
	never := true
	for _, step := range n.steps {
		switch step.ran(at) {
		case expr.RanAlways:
			return expr.RanAlways
		case expr.RanSometimes:
			never = false
		}
	}
	if never {
		return expr.RanNever
	}

	return expr.RanSometimes
}

// ran says whether the step has given its output when a place is reached.
func (s standing) ran(at spot) expr.Ran {
	if at.frame == nil {
		return expr.RanSometimes
	}
	step, place := meet(s.at, at)
	switch {
	case step.index < place.index && (s.fallback || mayGiveNone(s.task) || !turnsOf(s.at, step.frame)):
		return expr.RanSometimes
	case step.index < place.index:
		return expr.RanAlways
	case place.frame.again() || step.index == place.index && insideBefore(s.at, at, place.frame):
		return expr.RanSometimes
	}

	return expr.RanNever
}

// meet returns the spots of the innermost pipeline that two places have in common.
func meet(a, b spot) (inA, inB spot) {
	for a.frame.depth() > b.frame.depth() {
		a = a.out()
	}
	for b.frame.depth() > a.frame.depth() {
		b = b.out()
	}
	for a.frame != b.frame {
		a, b = a.out(), b.out()
	}

	return a, b
}

// turnsOf reports whether a step in the common pipeline, or inside of it, runs whenever that pipeline comes so far:
// only loops are around it, whose body runs once at least.
func turnsOf(step spot, common *frame) bool {
	for ; step.frame != common; step = step.out() {
		if step.frame.kind != ofTurn || step.frame.fallback {
			return false
		}
	}

	return true
}

// insideBefore reports whether a step is inside of the step of the common pipeline at which, or inside of which,
// the place is, and may have run before it: in another state, or in what the place is behind.
func insideBefore(step, place spot, common *frame) bool {
	switch {
	case step.frame == common:
		return false
	case place.frame == common:
		return place.behind
	}

	return below(step, common).kind == ofState && below(place, common).kind == ofState
}

// below returns the frame around the spot that is directly in the common one.
func below(s spot, common *frame) *frame {
	f := s.frame
	for f.up != common {
		f = f.up
	}

	return f
}
