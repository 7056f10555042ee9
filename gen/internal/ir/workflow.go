package ir

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Workflow is one StateMachine YAML file: steps that run one after another and share a context. A file that another one
// imports is a workflow of its own. Like every agent, one has a name and a finish: its value is the last step's output, its
// key the end state of the machine that the last step is, else done.
type Workflow struct {
	// Title is the file's `name`; the zero Text without one.
	Title Text
	// Context is the declared schema of the context; nil when the context is open.
	Context *Schema
	// Agents are the conversations that `agents` declares, in source order. The node of each is *Oneshot.
	Agents []*Step
	// Outputs are what `steps.<name>` can name, each name once, in the order of the steps in the file.
	Outputs []*Output
	// Body are the steps at the top.
	Body *Pipeline
	// Partial says that something in the file was reported while it was read, so that steps, rows or types may be missing.
	Partial bool
}

// Pattern returns "workflow".
func (*Workflow) Pattern() string { return "workflow" }

// Pipeline is what is done one after another: the tasks of a workflow, each of which is given the output of the one before it, the first
// the pipeline's input, or operations of a flow.
type Pipeline struct {
	// Name is the words that the pipeline is called by within its workflow, outermost first, such as ["refine"] for the steps
	// of state refine or ["refine", "improve", "body"] for the body of loop improve in it; empty for the steps at the top.
	Name []string
	// What says what the pipeline is, for a person: "state refine", "branch yes of route".
	What string `shape:"-"`
	// Span is the place of the steps.
	Span source.Span
	// Tasks may be empty: then the pipeline's output is its input.
	Tasks []*Task
	// Body are the operations of a flow.
	Body []Op
}

// Steps returns the tasks of a pipeline; none of nil.
func (p *Pipeline) Steps() []*Task {
	if p == nil {
		return nil
	}

	return p.Tasks
}

// Last returns the last task and those that are done in its place when it fails; none where there are no tasks.
func (p *Pipeline) Last() []*Task {
	var ways []*Task
	if tasks := p.Steps(); len(tasks) > 0 {
		for t := tasks[len(tasks)-1]; t != nil; t = t.Fallback {
			ways = append(ways, t)
		}
	}

	return ways
}

// Task is a step of a workflow.
type Task struct {
	Name Text
	// Span is the whole step in the source.
	Span source.Span
	// Do is what the step does; nil when that was reported.
	Do Op
	// Input is what the step is given; nil: the output of the step before it.
	Input *Datum
	// Output is where the step's output is kept: that of its name.
	Output *Output
	// Type is what is known of the step's own output.
	Type Type `shape:"-"`
	// UpdatesContext merges the output into the context; UpdatesAt is the field's place.
	UpdatesContext bool
	UpdatesAt      source.Span
	// SinkTo is where in the context the output is put; nil for nowhere.
	SinkTo *ContextPath
	// Retries is how often a failed step is tried again; RetriesAt is the field's place, the zero Span where the step does not
	// say. Timeout bounds each call of a model or a function, 0: no bound.
	Retries   int
	RetriesAt source.Span
	Timeout   time.Duration `shape:"-"`
	// Tokens and USD bound what the step's models may use and cost, in US dollars; 0: no bound.
	Tokens int     `shape:"-"`
	USD    float64 `shape:"-"`
	// Fallback runs, with the same input, when all tries have failed; nil without one.
	Fallback *Task
}

// Merges reports whether the output of the task is merged into the context: updates_context says so, and the output may be an
// object. Where it can be none, that is a diagnostic, and nothing is merged. An import copies what it says itself.
func (t *Task) Merges() bool {
	if _, copies := t.Do.(*Import); copies || !t.UpdatesContext {
		return false
	}

	return t.Fallback != nil || t.Type.Schema == nil || t.Type.Schema.Nullable ||
		t.Type.Schema.Kind == SchemaObject || t.Type.Schema.Kind == SchemaAny
}

// Type is what is known of a value before it is there.
type Type struct {
	// Schema is the value's; nil when nothing is known.
	Schema *Schema
	// Owner and Of say whose schema it is: the Go type has its name from them.
	Owner Owner
	Of    string
}

// Owner says what kind of thing declares a schema.
type Owner uint8

const (
	// OwnerNone: no Go type belongs to the schema; values of it are dynamic.
	OwnerNone Owner = iota
	// OwnerConversation: the output of the conversation whose label is Of.
	OwnerConversation
	// OwnerFunc: the result of the function called Of.
	OwnerFunc
	// OwnerAnswer: the answer of a person; Of is workflow/step.
	OwnerAnswer
	// OwnerContext: the context of the workflow called Of.
	OwnerContext
	// OwnerTool: the arguments of the tool called Of.
	OwnerTool
)

// IsStruct reports whether a value of the type is a Go struct; any other value is dynamic.
func (t Type) IsStruct() bool {
	return t.Owner != OwnerNone && t.Schema != nil && t.Schema.Kind == SchemaObject && !t.Schema.Nullable &&
		(len(t.Schema.Properties) > 0 || t.Schema.Additional == nil)
}

// Output is what `steps.<name>` names: the newest output of the steps called so.
type Output struct {
	// Name is that of the first step of the name.
	Name Text
	// Type is that of all steps of the name if it is the same; else nothing is known.
	Type Type
}

// ContextPath is a place in the context: names from the outside to the inside, without `context`, `scratchpad` and
// `import_artifacts`, which all are the context itself. Text is the path as it is written.
type ContextPath struct {
	Text
	Path []Text
}

// Routing names of the context. They belong to the machine that runs and not to the context's schema.
const (
	NextState    = "next_state"
	CurrentState = "current_state"
)

// Routes reports whether the path is next_state or current_state.
func (p *ContextPath) Routes() bool {
	return len(p.Path) == 1 && (p.Path[0].Value == NextState || p.Path[0].Value == CurrentState)
}

// Datum is a value that is written in the source: JSON with templates in its texts.
type Datum struct {
	Span source.Span
	// Exactly one of the following is used: Text for a text, Value for a text inside of a list or a mapping that is one
	// placeholder and keeps the type of its value, JSON for any other scalar (null too), List, Fields.
	Text   *Template
	Value  Expression
	JSON   string
	List   []*Datum
	Fields []DatumField
	// Kind says which.
	Kind DatumKind
}

// DatumKind says what a datum is.
type DatumKind uint8

// The kinds of data.
const (
	DatumText DatumKind = iota + 1
	DatumValue
	DatumJSON
	DatumList
	DatumFields
)

// DatumField is a field of a mapping.
type DatumField struct {
	Name  Text
	Value *Datum
}

// What a task does, beside running an agent or a machine.
type (
	// PassOn returns what it is given.
	PassOn struct{}

	// UseFunc calls a method of Funcs. Params are what the step's `agent` gives beside the id; nil without.
	UseFunc struct {
		Func   *Func
		Params *Datum
		// Given is what is known of the output of the step before, which is the argument where the source has none; nil for
		// nothing.
		Given *Schema `shape:"-"`
	}

	// UseBuiltin calls a builtin step. Args are its named arguments, from `params` and from an
	// `input` that is a mapping; the argument that is the step's data is absent from them.
	UseBuiltin struct {
		Builtin string
		At      source.Span
		Args    []DatumField
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

	// Import runs another workflow (`uses: imports.ALIAS`).
	Import struct {
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
)

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

func (*Task) op()       {}
func (*PassOn) op()     {}
func (*UseFunc) op()    {}
func (*UseBuiltin) op() {}
func (*Import) op()     {}
func (*Machine) op()    {}

// Arm is a branch: its name and its steps.
type Arm struct {
	Name Text
	Body *Pipeline
	// Only says that of what a parallel branch writes nothing but Fields is written back.
	Only   bool
	Fields []*ContextPath
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

// Reduce says what the output of a fork is.
type Reduce uint8

// What becomes of the outputs of the branches.
const (
	ReduceObject Reduce = iota // an object, by branch
	ReduceKeys                 // the names of the branches
	ReduceValues               // the list of outputs
	ReduceUnion                // one object: the outputs merged
	ReduceConcat               // one list: the outputs one behind the other
	ReduceFirst
	ReduceLast
	ReduceMajority // the output that most branches have
)

// Func is a method of the generated Funcs interface.
type Func struct {
	// Name is how the workflows call it, such as pkg.mod:func, with its first place.
	Name Text
	// Input and Output are the schemas of what it takes and gives; nil: any JSON value. All steps that use it agree.
	Input, Output *Schema
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

// ContextWrite is what a task does to the context when it has ended well.
type ContextWrite struct {
	// Path is the place in the context; nil where only the run decides, so that it may be any.
	Path *ContextPath
	// At is where the task says so.
	At source.Span
	// Merge says that an object is merged into what is at the place; else that is replaced.
	Merge bool
	// Schema is what is known of the value; nil for nothing. Value is the value as it is written; nil where a run makes it.
	Schema *Schema
	Value  *Datum
}

// Writes returns what a task itself writes into the context: by a builtin step, by what an import copies back, by sink_to and by
// updates_context.
func (t *Task) Writes() []ContextWrite {
	var writes []ContextWrite
	switch do := t.Do.(type) {
	case *UseBuiltin:
		if do.Context.Writes() {
			w := ContextWrite{Path: do.Path, At: do.At, Merge: do.Context == ContextMerge, Schema: do.Value, Value: t.Input}
			if do.Path != nil {
				w.At = do.Path.Span
			}
			if value := FieldOf(do.Args, do.Data); value != nil {
				w.Value = value
			}
			writes = append(writes, w)
		}
	case *Import:
		if t.UpdatesContext && do.All {
			writes = append(writes, ContextWrite{At: t.UpdatesAt})
		} else if t.UpdatesContext {
			for _, out := range do.Outputs {
				writes = append(writes, ContextWrite{Path: out.Parent, At: out.Parent.Span})
			}
		}
	}
	if t.SinkTo != nil {
		writes = append(writes, ContextWrite{Path: t.SinkTo, At: t.SinkTo.Span, Schema: t.Type.Schema})
	}
	if t.Merges() {
		writes = append(writes, ContextWrite{Path: &ContextPath{}, At: t.UpdatesAt, Merge: true, Schema: t.Type.Schema})
	}

	return writes
}
