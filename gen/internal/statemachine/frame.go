package statemachine

import (
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// frame is a pipeline with its position in the tree of steps.
type frame struct {
	kind frameKind
	// up is the frame of the step that runs this pipeline, and index the index of that step. up is
	// nil at the top.
	up    *frame
	index int
	// maySkip is true if the step that runs the pipeline is a fallback, or has one that may run
	// instead.
	maySkip bool
	// input is the type of the pipeline's input. item is the type of the item of the innermost map,
	// or nil.
	input ir.Type
	item  *ir.Type
	// turns are the names below `loop` in the body of a loop or a map, and in all pipelines inside
	// of it; nil outside.
	turns []expr.Name
	// receive is the first task of the pipeline, which no step of the file is; nil without one.
	receive *ir.Task
	// machine is the machine whose state has the steps; nil for any other list of steps.
	machine *machine
	state   *ir.State
	// behind are the steps of the same list behind the pipeline, which a loop may skip; nil for a
	// whole list.
	behind []*yamldoc.Node
	// isFallback is true in the pipelines of a fallback, and in all pipelines inside of them.
	isFallback bool

	pipeline *ir.Pipeline
}

// frameKind is the way in which a pipeline is run.
type frameKind uint8

const (
	atTop    frameKind = iota
	ofBranch           // one of several
	ofSide             // in parallel, with its own copy of the context
	ofOnce             // once, around a loop with variables
	ofTurn             // several times
	ofWhile            // several times, or never
	ofItem             // for each item
	ofState            // whenever the machine enters the state
)

// childFrame returns the frame of a pipeline that the step at the spot runs.
func (s spot) childFrame(kind frameKind, input ir.Type) *frame {
	return &frame{
		kind: kind, up: s.frame, index: s.index, input: withoutOwner(input), item: s.frame.item, turns: s.frame.turns,
		isFallback: s.frame.isFallback,
	}
}

// isRepeated reports whether a run can run the pipeline more than once.
func (f *frame) isRepeated() bool {
	for ; f != nil; f = f.up {
		if f.kind >= ofTurn {
			return true
		}
	}

	return false
}

// countEnclosingSteps returns the number of steps around the pipeline.
func (f *frame) countEnclosingSteps() int {
	n := 0
	for ; f.up != nil; f = f.up {
		n++
	}

	return n
}

// spot is a position in a pipeline: at the step with the index, or after the last step.
type spot struct {
	frame *frame
	index int
	// afterBody is true for the position after the pipelines of the step and before its own output.
	afterBody bool
}

// endOf returns the spot after the last step of a pipeline.
func endOf(f *frame) spot { return spot{frame: f, index: len(f.pipeline.Tasks)} }

// anywhere is the spot of a text that several steps use, such as the prompt of an agent.
var anywhere = spot{}

// parentSpot returns the spot of the step that runs the pipeline of s.
func (s spot) parentSpot() spot { return spot{frame: s.frame.up, index: s.frame.index} }

// previousOutput returns the default input of the step at the spot: the output of the previous
// step, or the input of the pipeline.
func (s spot) previousOutput() *ir.Access {
	switch {
	case s.frame == nil:
		return &ir.Access{Root: ir.RootInput}
	case s.index == 0:
		return &ir.Access{Root: ir.RootInput, Type: s.frame.input}
	}

	t := s.frame.pipeline.Tasks[s.index-1]

	return &ir.Access{Root: ir.RootStep, Output: t.Output, Type: t.Output.Type, MayBeNone: mayLackOutput(t)}
}

// mayLackOutput reports whether a step can succeed without an output.
func mayLackOutput(t *ir.Task) bool {
	do, ok := t.Do.(*ir.Import)

	return ok && do.OnFailure == ir.FailureSkip
}

// namedSteps are the steps with one name.
type namedSteps struct {
	output *ir.Output
	steps  []placedStep
}

// placedStep is a step with its spot. A fallback has the spot of the step that it replaces.
type placedStep struct {
	at       spot
	task     *ir.Task
	fallback bool
}

// ranBefore reports whether one of the steps has produced its output before a spot.
func (n *namedSteps) ranBefore(at spot) expr.Ran {
	never := true
	for _, step := range n.steps {
		switch step.ranBefore(at) {
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

// ranBefore reports whether the step has produced its output before a spot.
func (s placedStep) ranBefore(at spot) expr.Ran {
	if at.frame == nil {
		return expr.RanSometimes
	}
	step, place := commonSpots(s.at, at)
	maySkip := s.fallback || mayLackOutput(s.task) || !alwaysRuns(s.at, step.frame)
	isEarlier := step.index == place.index && mayPrecede(s.at, at, place.frame)
	switch {
	case step.index < place.index && maySkip:
		return expr.RanSometimes
	case step.index < place.index:
		return expr.RanAlways
	case place.frame.isRepeated() || isEarlier:
		return expr.RanSometimes
	}

	return expr.RanNever
}

// commonSpots returns the spots of two positions in their innermost common pipeline.
func commonSpots(a, b spot) (inA, inB spot) {
	for a.frame.countEnclosingSteps() > b.frame.countEnclosingSteps() {
		a = a.parentSpot()
	}
	for b.frame.countEnclosingSteps() > a.frame.countEnclosingSteps() {
		b = b.parentSpot()
	}
	for a.frame != b.frame {
		a, b = a.parentSpot(), b.parentSpot()
	}

	return a, b
}

// alwaysRuns reports whether a step in or below the common pipeline runs whenever that pipeline
// reaches it: only loops, which run at least once, are between them.
func alwaysRuns(step spot, common *frame) bool {
	for ; step.frame != common; step = step.parentSpot() {
		isRun := step.frame.kind == ofTurn || step.frame.kind == ofOnce
		if !isRun || step.frame.maySkip {
			return false
		}
	}

	return true
}

// mayPrecede reports whether a step below the same step of the common pipeline as the place may run
// before the place: in another state, or in the pipelines before the place.
func mayPrecede(step, place spot, common *frame) bool {
	switch {
	case step.frame == common:
		return false
	case place.frame == common:
		return place.afterBody
	}

	return frameBelow(step, common).kind == ofState && frameBelow(place, common).kind == ofState
}

// frameBelow returns the frame around the spot that is directly in the common one.
func frameBelow(s spot, common *frame) *frame {
	f := s.frame
	for f.up != common {
		f = f.up
	}

	return f
}
