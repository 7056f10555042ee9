package statemachine

import (
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

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
