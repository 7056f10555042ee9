package expr

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Scope is what a place offers to the formulas and templates there.
type Scope struct {
	// Names are the names that a path can begin with, such as context and previous_step. `steps` is there when Steps
	// is.
	Names []Name
	// Steps are the steps that a path can name; nil where there are none at all, as in the guards of a gate.
	Steps Steps
	// Machine says that the place is a guard in a machine of agents: its steps are states, and what an expression cannot say
	// a named guard can.
	Machine bool
}

// Name is a name that a path can begin with.
type Name struct {
	Name string
	// Absent, if it is not empty, says why the name means nothing at this place although it does elsewhere: "no
	// person has answered here". Nothing else is set then.
	Absent string
	// Value is what the name means: Root, Output, Type and Maybe are copied into the access. nil for a name that
	// is only a way to its Members, such as `output` in the guard of a row.
	Value *ir.Access
	// Members are names below this one that are not properties of its value: next_state of the context, event of the
	// payload of a guard. They come before the properties of the value.
	Members []Name
	// Same are names below this one that mean the value itself: scratchpad of the context.
	Same []string
	// StepOf returns the step whose output a name below this one means where the value has no such field, as
	// `context.draft` does for `steps.draft`. nil: there are no such names.
	StepOf func(name string) (StepName, bool)
	// Lacks reports that the value never has the field, so that a name of StepOf means nothing else. Such a path is
	// deprecated-form. Any other path is the field or, where that is none or an empty text, the step's output. nil: the
	// value may have every field.
	Lacks func(name string) bool
}

// Steps are the steps of a workflow, as they are seen from a place.
type Steps interface {
	// Step returns the steps called name; ok is false if there is none.
	Step(name string) (step StepName, ok bool)
	// StepNames are the names of all steps, in source order.
	StepNames() []string
}

// StepName is what a place knows of the steps of one name.
type StepName struct {
	// Output is what the name means.
	Output *ir.Output
	// Ran says whether one of the steps has given its output when the place is reached.
	Ran Ran
}

// Ran says whether a step has run, and has given an output, when a place is reached.
type Ran uint8

const (
	// RanSometimes: on some ways to the place, or its failure may have been passed over. Its output may be none.
	RanSometimes Ran = iota
	// RanAlways: on every way to the place.
	RanAlways
	// RanNever: on no way to the place. To read the output is unread-before-written.
	RanNever
)
