package ir

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Op is an operation. Every flow is a tree of them, all of whose nodes [Walk] visits. [Kinds] has one value of each kind. The
// method is not exported, so that each kind is declared here.
type Op interface{ op() }

// Run runs a conversation of the flow or an agent of the project.
type Run struct {
	// Step or Agent is what runs; the other one is nil. The value of an agent is a text, or, where the task's Type has the schema
	// of something else, what the text says as JSON; of a workflow, its last step's output.
	Step  *Step
	Agent *AgentRef
	// At says which keys are legal for it, which is nothing to a oneshot. It is never closed: a flow takes every key that it does
	// not know. It is free where nothing reads the key.
	At Place
}

// PassOn returns what it is given.
type PassOn struct{}

// Parallel does branches side by side. Each has a copy of the context, and all are given what the task is given.
type Parallel struct {
	Branches []*Arm
	// Width is how many branches run at a time; 0: all of them.
	Width int `shape:"-"`
	// Merge says what becomes of what the branches write, and Reduce of their outputs.
	Merge  Merge
	Reduce Reduce
	// Failed says what a failed branch is.
	Failed Tolerance
}

// Loop repeats its body: for each of the items that Over gives, or for so many turns as Max says, or until Exit holds, Func says
// so or the body returns. Each turn is given its item; without items, the first turn is given the task's data, each other one the
// output of the turn before.
type Loop struct {
	Body *Pipeline
	// Over gives the items; nil for a loop without. It is a place in the context, or a list that a run wrote.
	Over Expression
	// Item and Turn are what the body calls the item and the number of the turn, from 1. They are nil where it has no name for
	// them: the item is `this` then.
	Item, Turn *Output `shape:"-"`
	// Max is how many turns there are at most; 0: no bound. OnBound says what follows them, where the loop has not ended
	// otherwise. MaxAt is the place of the number, the zero Span where it is not written.
	Max     int `shape:"-"`
	MaxAt   source.Span
	OnBound OnBound
	// Exit and Func end the loop behind a turn; nil: neither does.
	Exit *Formula
	Func *Func
	// Width is how many turns run at a time, 1: one after another.
	Width int `shape:"-"`
	// Failed says what a failed turn is.
	Failed Tolerance
	// Reduce says what becomes of the outputs of the turns. Title is what a result is called, before its number; empty: a result
	// is called as its item is.
	Reduce Reduce
	Title  string `shape:"-"`
	// Result, if it is not nil, is the step's output in place of that: `previous_step` in it is what Reduce gives.
	Result *Datum
}

// Each reports whether it is a loop over items.
func (l *Loop) Each() bool { return l.Over != nil }

// Items returns the place in the context of the items; nil where they are not in the context.
func (l *Loop) Items() *ContextPath {
	access, isAccess := l.Over.(*Access)
	if !isAccess || access.Root != RootContext {
		return nil
	}
	names := Map(access.Path, func(f Field) Text { return f.Name })

	return &ContextPath{Text: Text{Value: access.Written, Span: access.Span}, Path: names}
}

// EndsByReturn reports whether nothing ends the loop but a return or a failure inside of it.
func (l *Loop) EndsByReturn() bool {
	return l.Over == nil && l.Max == 0 && l.Exit == nil && l.Func == nil
}

// OnBound says what follows the last turn that a loop has.
type OnBound uint8

const (
	// BoundFails: the loop fails.
	BoundFails OnBound = iota
	// BoundDone: the loop is done.
	BoundDone
)

// Tolerance says what a branch or a turn that fails is.
type Tolerance uint8

const (
	// FailureCounts: it fails the step.
	FailureCounts Tolerance = iota
	// FailureIgnored: it is one without output.
	FailureIgnored
	// FailureReported: its error is its result. The step fails where no branch or turn ended well.
	FailureReported
)

// Branch does one of its branches: that of the key, which is the value of Key, or what Func answers, or the step's data when both
// are nil.
type Branch struct {
	Key      *Formula
	Func     *Func
	Branches []*Arm
	// Default runs where no branch has the key; nil: the step fails.
	Default *Pipeline
}

// Condition returns the expression of the key; nil without one.
func (b *Branch) Condition() Expression {
	if b.Key == nil {
		return nil
	}

	return b.Key.Root
}

// Arm returns what the branch of a key does; nil if there is none.
func (b *Branch) Arm(key string) *Pipeline {
	arm := First(b.Branches, func(arm *Arm) bool { return arm.Name.Value == key })
	if arm == nil {
		return nil
	}

	return arm.Body
}

// Then returns what is done where a condition holds.
func (b *Branch) Then() *Pipeline { return b.Arm(Holds) }

// Holds is the key of a condition that holds.
const Holds = "true"

// Arm is a branch: its name and its steps.
type Arm struct {
	Name Text
	Body *Pipeline
	// Only says that of what a parallel branch writes nothing but Fields is written back.
	Only   bool
	Fields []*ContextPath
}

// WritesBack reports whether a field of the context, or a part of it, is copied back from the branch.
func (a *Arm) WritesBack(field []string) bool {
	return !a.Only || slices.ContainsFunc(a.Fields, func(p *ContextPath) bool {
		names := Values(p.Path)
		n := min(len(names), len(field))
		return slices.Equal(names[:n], field[:n])
	})
}

// Ask waits for a person. Its answer has a value, as the result of a run has.
type Ask struct {
	// Message is the question; nil when the step's data is the question. Where a run has worded that, its key says by which
	// channel the person is asked.
	Message *Template `shape:"-"`
	// Answer is the schema of what is answered; its Schema is nil for any text.
	Answer Type
}

// Return ends the flow. What the task is given is the flow's value.
type Return struct {
	Key ReturnKey
	// Limit and Feedback say, with KeyUnfinished, how often was tried, and what the last verdict is.
	Limit    int        `shape:"-"`
	Feedback Expression `shape:"-"`
}

// ReturnKey says with which key a flow finishes.
type ReturnKey uint8

const (
	// KeyDone: done.
	KeyDone ReturnKey = iota + 1
	// KeyOwn: the key of the run whose value is the flow's.
	KeyOwn
	// KeyExhausted: exhausted if that has a row where the flow runs, else done.
	KeyExhausted
	// KeyUnfinished: exhausted if that has a row where the flow runs, else the flow fails.
	KeyUnfinished
)

// UseFunc calls a method of Funcs.
type UseFunc struct {
	Func *Func
	// Params are what the step's `agent` gives beside the id; nil without.
	Params *Datum
	// Given is what is known of the output of the step before, which is the argument where the source has none; nil for
	// nothing.
	Given *Schema `shape:"-"`
}

// Argument returns what the source gives the function: the input of the step over the parameters, or one of them; nil for the output of
// the step before.
func (do *UseFunc) Argument(input *Datum) *Datum {
	switch {
	case do.Params == nil:
		return input
	case input == nil:
		return do.Params
	case input.Kind != DatumFields || do.Params.Kind != DatumFields:
		return input
	}

	return &Datum{Span: input.Span, Kind: DatumFields, Fields: overlaid(do.Params.Fields, input.Fields)}
}

// overlaid returns fields with others over them.
func overlaid(fields, over []DatumField) []DatumField {
	all := slices.Clone(fields)
	for _, field := range over {
		at := slices.IndexFunc(all, func(f DatumField) bool { return f.Name.Value == field.Name.Value })
		if at < 0 {
			all = append(all, field)
			continue
		}
		all[at] = field
	}

	return all
}

// UseBuiltin calls a builtin step.
type UseBuiltin struct {
	Builtin string
	At      source.Span
	// Args are its named arguments, from `params` and from an `input` that is a mapping; the argument that is the step's data is
	// absent from them.
	Args []DatumField
	// Data is the name of the argument that is the step's input, unless Args has it; empty for
	// a builtin without one.
	Data string `shape:"-"`
	// Context says what the builtin does with the context.
	Context ContextUse `shape:"-"`
	// Path is the place in the context that the builtin reads or writes; nil when only the run
	// decides it. An object that is merged into the context itself has a path without names.
	Path *ContextPath `shape:"-"`
	// Value is what is known of what the builtin writes there; nil for nothing.
	Value *Schema `shape:"-"`
}

// ContextUse says what a builtin does with a place in the context.
type ContextUse uint8

// The uses of a place in the context.
const (
	ContextUnused ContextUse = iota
	// ContextRead: its output is what the place holds.
	ContextRead
	// ContextSet: its data replaces what the place holds.
	ContextSet
	// ContextMerge: its data, an object, is merged into what the place holds.
	ContextMerge
)

// Writes reports whether the place is written.
func (u ContextUse) Writes() bool { return u == ContextSet || u == ContextMerge }

// Import runs another workflow (`uses: imports.ALIAS`).
type Import struct {
	Agent *AgentRef
	// Inherit gives the child a deep copy of the context; else it begins with an empty one.
	Inherit bool
	// InputTo says where the child finds its input: as its input, in its context below Key, or both.
	InputTo ImportInput
	Key     string
	// Given is what is known of the input; nil for nothing.
	Given *Schema `shape:"-"`
	// Outputs are what is copied back with `updates_context`; with All everything is.
	Outputs []ImportOutput
	All     bool
	// Next says that the child's next_state becomes that of the machine around the step, with or without
	// `updates_context`: All is set, and the child may write one.
	Next      bool `shape:"-"`
	OnFailure ImportFailure
}

// ImportInput says where a child finds its input.
type ImportInput uint8

// The places of a child's input.
const (
	InputToPrompt ImportInput = iota
	InputToContext
	InputToBoth
)

// ImportOutput copies a place of the child's context into the parent's.
type ImportOutput struct {
	Child, Parent *ContextPath
}

// ImportFailure says what a failed child means.
type ImportFailure uint8

const (
	// FailureAbort: the step fails.
	FailureAbort ImportFailure = iota
	// FailureSkip: the step's output is none.
	FailureSkip
	// FailureDefault: the step's output is an empty object.
	FailureDefault
)

// Merge says what becomes of what the branches of a fork write into their contexts.
type Merge uint8

const (
	// MergeUpdate: as MergeConflict, where the step does not say what counts.
	MergeUpdate Merge = iota
	// MergeNone: nothing.
	MergeNone
	// MergeOverwrite: changes are merged in the order of the branches, and the later branch wins.
	MergeOverwrite
	// MergeConflict: two different values for one place fail the step.
	MergeConflict
	// MergeKeepFirst: the earlier branch wins.
	MergeKeepFirst
)

// Keeps says whose value counts where two branches write one: that of the "first", or of the "last"; "" for neither.
func (m Merge) Keeps() string {
	return [...]string{MergeOverwrite: "last", MergeKeepFirst: "first"}[m]
}

// Reduce says what the output of branches or of the turns of a loop is.
type Reduce uint8

// What becomes of the outputs.
const (
	ReduceObject Reduce = iota // an object, by branch
	ReduceKeys                 // the names of the branches
	ReduceValues               // the list of outputs
	ReduceUnion                // one object: the outputs merged
	ReduceConcat               // one list: the outputs one behind the other
	ReduceFirst
	ReduceLast
	ReduceMajority // the output that most branches have
	// ReduceResults: how each ended, in order, under its name. [Report], [Document] and [Object] say what that is as a text.
	ReduceResults
)

// Func is a method of the generated Funcs interface.
type Func struct {
	// Name is how the workflows call it, such as pkg.mod:func, with its first place.
	Name Text
	// Input and Output are the schemas of what it takes and gives; nil: any JSON value. All steps that use it agree.
	Input, Output *Schema
}

func (*Task) op()       {}
func (*Run) op()        {}
func (*PassOn) op()     {}
func (*UseFunc) op()    {}
func (*UseBuiltin) op() {}
func (*Import) op()     {}
func (*Machine) op()    {}
func (*Branch) op()     {}
func (*Loop) op()       {}
func (*Parallel) op()   {}
func (*Ask) op()        {}
func (*Return) op()     {}

// Kinds returns one value of each kind of operation.
func Kinds() []Op {
	return []Op{
		&Task{}, &Run{}, &PassOn{}, &UseFunc{}, &UseBuiltin{}, &Import{}, &Machine{}, &Branch{}, &Loop{}, &Parallel{}, &Ask{},
		&Return{},
	}
}
