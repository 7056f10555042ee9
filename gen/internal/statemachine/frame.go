package statemachine

import "github.com/agentc-dev/agentc/gen/internal/ir"

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

	return outputOf(s.frame.pipeline.Tasks[s.index-1])
}

// outputOf is the output of a step that has just run.
func outputOf(t *ir.Task) *ir.Access {
	return &ir.Access{Root: ir.RootStep, Output: t.Output, Type: t.Output.Type, Maybe: mayGiveNone(t)}
}

// mayGiveNone reports whether a step can go well and have no output.
func mayGiveNone(t *ir.Task) bool {
	do, ok := t.Do.(*ir.Import)

	return ok && do.OnFailure == ir.FailureSkip
}
