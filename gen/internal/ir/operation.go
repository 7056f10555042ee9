package ir

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Op is an operation. Every flow is a tree of operations, and [Walk] visits all of them. [OpKinds]
// has one value of each kind. The method is not exported, so that each kind is declared here.
type Op interface{ op() }

// Run runs a conversation of the flow or an agent of the project.
type Run struct {
	// Step or Agent is what runs; the other is nil. The value of an agent is a text. If the task's
	// Type has another schema, it is the JSON in that text. The value of a workflow is the output
	// of its last step.
	Step  *Step
	Agent *AgentRef
	// History is what the conversation remembers from one turn of a loop to the next: the inputs and
	// the replies of earlier turns are sent before the new input. It is nil for a conversation that
	// remembers nothing.
	History *Output `shape:"-"`
	// At is the scope of legal keys. It means nothing to a oneshot. It is never closed, because a
	// flow accepts every key that it does not route, and it is free if nothing reads the key.
	At Place
}

// PassOn returns its input, after a wait if it has one.
type PassOn struct {
	// Wait is how long the run waits before; 0 for no wait, and if WaitText has it. That is a text
	// that a run renders to a duration, or to a time; nil without one.
	Wait     time.Duration `shape:"-"`
	WaitText *Template     `shape:"-"`
}

// Waits reports whether the run waits before the input is returned.
func (p *PassOn) Waits() bool { return p.Wait > 0 || p.WaitText != nil }

// Receive is the first operation of a workflow with an `input_schema`: it reads the input of the run
// as JSON of the schema, which the task's Type has too. Its output is called [InputName]. An input that
// does not fit fails the run.
type Receive struct{ Schema *Schema }

// InputName is the name of the output of [Receive], as expressions and steps.<name> have it.
const InputName = "input"

// Parallel runs branches in parallel. Each has a copy of the context and the input of the task.
type Parallel struct {
	Branches []*Arm
	// Width is how many branches run at a time; 0 for all.
	Width int `shape:"-"`
	// Merge combines the writes of the branches, and Reduce their outputs.
	Merge  Merge
	Reduce Reduce
	// Failed is the tolerance for a failed branch.
	Failed Tolerance
}

// Loop repeats its body: for each item of Over, or at most Max times, or until Exit holds, Func
// returns true or the body returns. Each turn of a loop over items receives its item. Otherwise the
// first turn receives the input of the task, and each later turn the output of the previous one.
type Loop struct {
	Body *Pipeline
	// Over is the list of items; nil for a loop without items. It is a path in the context, or a
	// list that a run wrote.
	Over Expression
	// Item and Turn are the names in the body for the item and the number of the turn, from 1. They
	// are nil if the body has no name for them: the item is then `this`.
	Item, Turn *Output `shape:"-"`
	// Max bounds the number of turns; 0 for no bound. OnBound decides what happens after the last
	// turn, if the loop has not ended otherwise. MaxAt is the position of the number, the zero Span
	// if it is not written.
	Max     int `shape:"-"`
	MaxAt   source.Span
	OnBound OnBound
	// AtBound is whether the newest run of the loop has ended at its bound, a boolean; nil if nothing
	// reads it.
	AtBound *Output `shape:"-"`
	// Exit and Func end the loop after a turn; nil if they do not. With ExitFirst, the exit is also
	// tested before the first turn, so that the body may never run.
	Exit      *Formula
	ExitFirst bool `shape:"-"`
	// ExitField is the field of the source with the exit. A field `while` has its opposite.
	ExitField string `shape:"-"`
	Func      *Func
	// Width is how many turns run at a time; 1 for sequential turns.
	Width int `shape:"-"`
	// Failed is the tolerance for a failed turn.
	Failed Tolerance
	// Reduce combines the outputs of the turns. Title is the title of a result before its number.
	// If it is empty, the title is the item.
	Reduce Reduce
	Title  string `shape:"-"`
	// Result replaces the output of the step if it is not nil. In it, `previous_step` is the result
	// of Reduce.
	Result *Datum
	// Wraps is set for the steps around a loop that has variables or an output of its own: one of
	// them is that loop. They run once, and are no turn: what the body reads of its turn belongs to
	// a loop farther out.
	Wraps bool `shape:"-"`
	// State is the variables of the loop, an object; nil without variables. A task of the
	// [PartState] before the loop initializes them, and one at the end of the body updates them.
	State *Output `shape:"-"`
	// Histories are empty before the first turn: those of the conversations in the body.
	Histories []*Output `shape:"-"`
}

// StateOf precedes the name of a loop in the name of its State.
const StateOf = "state of "

// HistoryAccess returns the access of what a conversation remembers; nil if it remembers nothing.
func (r *Run) HistoryAccess() *Access {
	if r.History == nil {
		return nil
	}

	return &Access{Root: RootStep, Output: r.History, Written: r.History.Name.Value}
}

// IsForEach reports whether the loop has items.
func (l *Loop) IsForEach() bool { return l.Over != nil }

// HasAllTurns reports whether nothing but a failure or a return ends the loop before its bound.
func (l *Loop) HasAllTurns() bool {
	return l.Max > 0 && !l.IsForEach() && l.Exit == nil && l.Func == nil
}

// RunsApart reports whether each item is handled by a branch of the run, with a copy of the context.
func (l *Loop) RunsApart() bool {
	return l.IsForEach() && (l.Width > 1 || l.Failed != FailureCounts)
}

// ItemsPath returns the path of the items in the context; nil if they are not in the context.
func (l *Loop) ItemsPath() *ContextPath {
	access, isAccess := l.Over.(*Access)
	if !isAccess || access.Root != RootContext {
		return nil
	}
	names := Map(access.Path, func(f Field) Text { return f.Name })

	return &ContextPath{Text: Text{Value: access.Written, Span: access.Span}, Path: names}
}

// EndsByReturn reports whether only a return or a failure in the body ends the loop.
func (l *Loop) EndsByReturn() bool {
	return l.Over == nil && l.Max == 0 && l.Exit == nil && l.Func == nil
}

// OnBound decides what happens after the last turn of a loop.
type OnBound uint8

const (
	// BoundFails fails the step.
	BoundFails OnBound = iota
	// BoundDone ends the loop normally.
	BoundDone
)

// Tolerance decides what a failed branch or turn does to the step.
type Tolerance uint8

const (
	// FailureCounts fails the step.
	FailureCounts Tolerance = iota
	// FailureIgnored continues without an output. The step fails if all branches or turns failed.
	FailureIgnored
	// FailureReported uses the error as the result. The step fails if all branches or turns failed.
	FailureReported
	// FailureKept uses None as the result. The step fails if all branches or turns failed.
	FailureKept
)

// Branch runs one of its branches. The key of the branch is the value of Key, or the result of
// Func, or the input of the step if both are nil.
type Branch struct {
	Key      *Formula
	Func     *Func
	Branches []*Arm
	// Default runs if no branch has the key. With nil, the step fails.
	Default *Pipeline
}

// Condition returns the expression of the key; nil without one.
func (b *Branch) Condition() Expression {
	if b.Key == nil {
		return nil
	}

	return b.Key.Root
}

// ArmBody returns the steps of the branch with a key; nil if there is none.
func (b *Branch) ArmBody(key string) *Pipeline {
	arm := First(b.Branches, func(arm *Arm) bool { return arm.Name.Value == key })
	if arm == nil {
		return nil
	}

	return arm.Body
}

// ThenBody returns the steps for a condition that holds.
func (b *Branch) ThenBody() *Pipeline { return b.ArmBody(TrueKey) }

// TrueKey is the key of the branch for a condition that holds, and FalseKey that for one that does
// not.
const (
	TrueKey  = "true"
	FalseKey = "false"
)

// Arm is a named branch.
type Arm struct {
	Name Text
	Body *Pipeline
	// Only restricts the writes that a parallel branch copies back to Fields.
	Only   bool
	Fields []*ContextPath
}

// WritesBack reports whether the branch copies back a field of the context, or a part of it.
func (a *Arm) WritesBack(field []string) bool {
	return !a.Only || slices.ContainsFunc(a.Fields, func(p *ContextPath) bool {
		names := Values(p.Path)
		n := min(len(names), len(field))
		return slices.Equal(names[:n], field[:n])
	})
}

// Ask waits for a person. Its answer is a value, like the result of a run.
type Ask struct {
	// Message is the question; nil if the input of the step is the question. If a run wrote that
	// input, its key selects the channel by which the person is asked.
	Message *Template `shape:"-"`
	// Answer is the type of the answer. Its Schema is nil for any text.
	Answer Type
	// Timeout bounds the time until the answer; 0 for no bound. After it, the answer is OnTimeout, as
	// JSON, or, if its value is empty, the step fails.
	Timeout   time.Duration `shape:"-"`
	OnTimeout Text          `shape:"-"`
}

// CanTimeOut reports whether the question fails if there is no answer in time.
func (a *Ask) CanTimeOut() bool { return a.Timeout > 0 && a.OnTimeout.Value == "" }

// Return ends the flow. The input of the task is the flow's value.
type Return struct {
	Key ReturnKey
	// Limit and Feedback are for KeyUnfinished: the number of attempts, and the last verdict.
	Limit    int        `shape:"-"`
	Feedback Expression `shape:"-"`
}

// ReturnKey selects the key with which a flow finishes.
type ReturnKey uint8

const (
	// KeyDone is done.
	KeyDone ReturnKey = iota + 1
	// KeyOwn is the key of the run whose value is the flow's.
	KeyOwn
	// KeyExhausted is exhausted if that has a row where the flow runs, otherwise done.
	KeyExhausted
	// KeyUnfinished is exhausted if that has a row where the flow runs. Otherwise the flow fails.
	KeyUnfinished
)

// UseFunc calls a method of Funcs.
type UseFunc struct {
	Func *Func
	// Params are the values in the step's `agent` other than the id; nil without any.
	Params *Datum
	// Fields are the fields of the context that the function takes, a mapping, and Previous is the
	// output of the previous step; nil for a function without a context.
	Fields   *Datum  `shape:"-"`
	Previous *Access `shape:"-"`
}

// The members of the argument of a function that takes fields of the context.
const (
	argumentInput   = "input"
	argumentContext = "context"
)

// Argument returns the argument that the source gives to the function: its input, with the fields of
// the context that it takes. It is nil if the argument is the output of the previous step.
func (do *UseFunc) Argument(input *Datum) *Datum {
	written := do.InputOf(input)
	switch {
	case do.Fields == nil:
		return written
	case written == nil:
		written = &Datum{Kind: DatumValue, Value: do.Previous}
	}

	return &Datum{Span: written.Span, Kind: DatumFields, Fields: []DatumField{
		{Name: Text{Value: argumentInput}, Value: written}, {Name: Text{Value: argumentContext}, Value: do.Fields},
	}}
}

// InputOf returns the input of the function in the source: the input of the step laid over the
// parameters, or one of them. It is nil if the input is the output of the previous step.
func (do *UseFunc) InputOf(input *Datum) *Datum {
	switch {
	case do.Params == nil:
		return input
	case input == nil:
		return do.Params
	case input.Kind != DatumFields || do.Params.Kind != DatumFields:
		return input
	}

	return &Datum{Span: input.Span, Kind: DatumFields, Fields: overlayFields(do.Params.Fields, input.Fields)}
}

// overlayFields returns fields with those of over added or replaced.
func overlayFields(fields, over []DatumField) []DatumField {
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
	// Args are its named arguments, from `params` and from an `input` that is a mapping. They do
	// not include the argument that is the input of the step.
	Args []DatumField
	// Data is the name of the argument that is the input of the step, unless Args has it. It is
	// empty for a builtin without one.
	Data string `shape:"-"`
	// Context is how the builtin uses the context.
	Context ContextUse `shape:"-"`
	// Path is the path in the context that the builtin reads or writes; nil if only the run decides
	// it. An object that is merged into the whole context has a path without names.
	Path *ContextPath `shape:"-"`
	// Value is the schema of what the builtin writes there; nil if nothing is known.
	Value *Schema `shape:"-"`
}

// ContextUse is how a builtin uses a path in the context.
type ContextUse uint8

// The uses of a path in the context.
const (
	ContextUnused ContextUse = iota
	// ContextRead outputs the value at the path.
	ContextRead
	// ContextSet replaces the value at the path with the input.
	ContextSet
	// ContextMerge merges the input, an object, into the value at the path.
	ContextMerge
)

// Writes reports whether the builtin writes to the path.
func (u ContextUse) Writes() bool { return u == ContextSet || u == ContextMerge }

// Import runs another workflow (`uses: imports.ALIAS`).
type Import struct {
	Agent *AgentRef
	// Inherit gives the child a deep copy of the context. Otherwise its context is empty.
	Inherit bool
	// InputTo is where the child finds its input: as its input, in its context below Key, or both.
	InputTo ImportInput
	Key     string
	// Outputs are the paths that `updates_context` copies back. With All, everything is copied.
	Outputs []ImportOutput
	All     bool
	// Next is set if the child's next_state becomes the next_state of the machine around the step,
	// with or without `updates_context`: All is set, and the child may write one.
	Next      bool `shape:"-"`
	OnFailure ImportFailure
}

// ImportInput is where a child finds its input.
type ImportInput uint8

// The targets of a child's input.
const (
	InputToPrompt ImportInput = iota
	InputToContext
	InputToBoth
)

// ImportOutput copies a path of the child's context to one of the parent's.
type ImportOutput struct {
	Child, Parent *ContextPath
}

// ImportFailure decides what a failed child does to the step.
type ImportFailure uint8

const (
	// FailureAbort fails the step.
	FailureAbort ImportFailure = iota
	// FailureSkip makes the output of the step None.
	FailureSkip
	// FailureDefault makes the output of the step an empty object.
	FailureDefault
)

// Merge decides how the writes of parallel branches to their contexts are merged.
type Merge uint8

const (
	// MergeUpdate is MergeConflict for a step that does not select a merge.
	MergeUpdate Merge = iota
	// MergeNone drops all writes.
	MergeNone
	// MergeOverwrite merges changes in the order of the branches, and the later branch wins.
	MergeOverwrite
	// MergeConflict fails the step if two branches write different values to one path.
	MergeConflict
	// MergeKeepFirst merges changes in the order of the branches, and the earlier branch wins.
	MergeKeepFirst
)

// Winner returns which branch wins if two write to one path: "first", "last", or "" for neither.
func (m Merge) Winner() string {
	return [...]string{MergeOverwrite: "last", MergeKeepFirst: "first"}[m]
}

// Reduce decides how the outputs of branches or turns become one output.
type Reduce uint8

// The ways to reduce outputs.
const (
	ReduceObject Reduce = iota // an object, by branch
	ReduceKeys                 // the names of the branches
	ReduceValues               // the list of outputs
	ReduceUnion                // one object: the outputs merged
	ReduceConcat               // one list: the outputs concatenated
	ReduceFirst
	ReduceLast
	ReduceMajority // the most frequent output
	// ReduceResults is how each ended, in order, with its title. [Report], [Document] and [Object]
	// are its text forms.
	ReduceResults
)

// Func is a method of the generated Funcs interface.
type Func struct {
	// Name is the name in workflows, such as pkg.mod:func, with the position of its first use.
	Name Text
	// Input and Output are the schemas of its argument and result; nil for any JSON value. All
	// steps that use it agree.
	Input, Output *Schema
	// Context is the schema of the fields of the context that it takes, an object; nil without any.
	Context *Schema
	// CallTraits are declared where it is used. All steps that declare one agree.
	CallTraits
}

// ArgumentSchema returns the schema of the whole argument: of the input, or of an object with the input
// and the fields of the context. It is nil for any JSON value.
func (f *Func) ArgumentSchema() *Schema {
	if f.Context == nil {
		return f.Input
	}
	input := f.Input
	if input == nil {
		input = &Schema{Kind: SchemaAny}
	}

	return &Schema{Kind: SchemaObject, Properties: []*Property{
		{Name: Text{Value: argumentInput}, Required: true, Schema: input},
		{Name: Text{Value: argumentContext}, Required: true, Schema: f.Context},
	}}
}

func (*Task) op()       {}
func (*Run) op()        {}
func (*PassOn) op()     {}
func (*Receive) op()    {}
func (*UseFunc) op()    {}
func (*UseBuiltin) op() {}
func (*Import) op()     {}
func (*Machine) op()    {}
func (*Branch) op()     {}
func (*Loop) op()       {}
func (*Parallel) op()   {}
func (*Ask) op()        {}
func (*Return) op()     {}

// OpKinds returns one value of each kind of operation.
func OpKinds() []Op {
	return []Op{
		&Task{}, &Run{}, &PassOn{}, &UseFunc{}, &UseBuiltin{}, &Import{}, &Machine{}, &Branch{}, &Loop{}, &Parallel{}, &Ask{},
		&Return{}, &Receive{},
	}
}
