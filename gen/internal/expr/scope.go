package expr

import "github.com/agentc-dev/agentc/gen/internal/ir"

// Scope is the environment of a formula or template.
type Scope struct {
	// Names are the names that a path can begin with, such as context and previous_step. `steps` is
	// available if Steps is set.
	Names []Name
	// Steps are the steps that a path can name; nil without steps, as in the guards of a gate.
	Steps Steps
	// Machine is true for a guard in a machine of agents: its steps are states, and a named guard
	// can replace an expression.
	Machine bool
}

// Name is a name that a path can begin with.
type Name struct {
	Name string
	// Absent, if not empty, is the reason why the name has no value here, although it has one
	// elsewhere: "no person has answered here". Nothing else is set then.
	Absent string
	// Value is the value of the name: Root, Output, Type and Maybe are copied into the access. It
	// is nil for a name that only has Members, such as `output` in the guard of a row.
	Value *ir.Access
	// Members are names below this one that are not properties of its value: next_state of the
	// context, event of the payload of a guard. They take precedence over properties.
	Members []Name
	// Same are names below this one that mean the value itself: scratchpad of the context.
	Same []string
	// StepOf returns the step whose output a name below this one means if the value has no such
	// field: `context.draft` means `steps.draft`. It may be nil.
	StepOf func(name string) (StepName, bool)
	// Lacks reports whether the value never has the field, so that only StepOf applies. This is
	// deprecated-form. Otherwise the path is the field, or the step's output if the field is
	// missing or empty. With a nil Lacks, the value may have every field.
	Lacks func(name string) bool
}

// Steps are the steps of a workflow that a place can refer to.
type Steps interface {
	// Step returns the steps called name; ok is false if there are none.
	Step(name string) (step StepName, ok bool)
	// StepNames returns the names of all steps, in source order.
	StepNames() []string
}

// StepName describes the steps with one name.
type StepName struct {
	// Output is the value of the name.
	Output *ir.Output
	// Ran reports whether one of the steps has run before the place.
	Ran Ran
}

// Ran reports whether a step has produced an output when a place is reached.
type Ran uint8

const (
	// RanSometimes: on some paths to the place, or the step may have failed. Its output may be
	// missing.
	RanSometimes Ran = iota
	// RanAlways: on every path to the place.
	RanAlways
	// RanNever: on no path to the place. Reading the output is unread-before-written.
	RanNever
)
