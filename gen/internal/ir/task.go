package ir

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Pipeline is a sequence of tasks. The input of a task is the output of the previous one, and of
// the first task the input of the pipeline, unless the task has its own input.
type Pipeline struct {
	// Name is the path of the pipeline within its workflow, outermost first, such as ["refine"] for
	// the steps of state refine or ["refine", "improve", "body"] for the body of loop improve in
	// it. It is empty for the top-level steps.
	Name []string
	// Description is for people, such as "state refine" or "branch yes of route".
	Description string `shape:"-"`
	// Span is the position of the steps.
	Span source.Span
	// Tasks may be empty. The output of the pipeline is then its input.
	Tasks []*Task
}

// Steps returns the tasks of a pipeline. A nil pipeline has none.
func (p *Pipeline) Steps() []*Task {
	if p == nil {
		return nil
	}

	return p.Tasks
}

// LastTasks returns the last task and its fallbacks. An empty pipeline has none.
func (p *Pipeline) LastTasks() []*Task {
	var ways []*Task
	if tasks := p.Steps(); len(tasks) > 0 {
		for t := tasks[len(tasks)-1]; t != nil; t = t.Fallback {
			ways = append(ways, t)
		}
	}

	return ways
}

// Task is a step of a flow.
type Task struct {
	// Name is the name of the step. The pattern names its steps itself, without a position in the
	// source.
	Name Text
	// Span is the whole step in the source; the zero Span for a step of a pattern.
	Span source.Span
	// Do is the operation of the step; nil if a problem with it was reported.
	Do Op
	// Input is the input of the step; nil for the output of the previous step.
	Input *Datum
	// Given is the known type of the input: the output of the previous step, if the task has no Input.
	Given Type `shape:"-"`
	// Output is where the output of the step is stored, by its name. It is nil if nothing can name
	// it.
	Output *Output
	// Type is the known type of the step's own output.
	Type Type `shape:"-"`
	// UpdatesContext merges the output into the context. UpdatesAt is the position of the field.
	UpdatesContext bool
	UpdatesAt      source.Span
	// MergedFields are the fields of the output that UpdatesContext merges; nil for all.
	MergedFields []Text `shape:"-"`
	// SinkTo is the path in the context to which the output is written; nil without one.
	SinkTo *ContextPath
	// Retries is how often a failed step is retried. RetriesAt is the position of the field, the
	// zero Span without one. Timeout bounds each call of a model or a function; 0 for no bound.
	Retries   int
	RetriesAt source.Span
	// Backoff is the wait before the first retry, which doubles up to MaxBackoff; 0 for those of
	// models.
	Backoff, MaxBackoff time.Duration `shape:"-"`
	Timeout             time.Duration `shape:"-"`
	// Within bounds the whole step by the clock: all attempts, pauses, and the time in which no
	// process executes the run; 0 for no bound. WithinAt is the position of the field.
	Within   time.Duration `shape:"-"`
	WithinAt source.Span
	// Tokens and USD bound the use and the cost of the step's models, in US dollars; 0 for no
	// bound.
	Tokens int     `shape:"-"`
	USD    float64 `shape:"-"`
	// Fallback runs with the same input after all attempts have failed; nil without one. A fallback
	// with ForTimeout runs only if that is because the time of the step is over. It passes on a
	// constant, and any other failure goes on to its own fallback.
	Fallback   *Task
	ForTimeout bool `shape:"-"`
	// Part is what the task does for a loop or a workflow; it is zero for a step of the source.
	Part LoopPart `shape:"-"`
}

// IsStep reports whether the task is a step of the source, the loop of one, or has steps that a loop
// skips: not what assigns the variables of a loop, or computes the output of a loop, a workflow, or a
// step whose time is over.
func (t *Task) IsStep() bool {
	isPart := t.Part != 0 && t.Part != PartLoop && t.Part != PartSkipped

	return !t.ForTimeout && !isPart
}

// TimeoutFallback returns the fallback that has the output of a step whose time is over; nil if the
// step then fails.
func (t *Task) TimeoutFallback() *Task {
	if t.Fallback == nil || !t.Fallback.ForTimeout {
		return nil
	}

	return t.Fallback
}

// FailureFallback returns the fallback that runs after a failure of any kind; nil without one.
func (t *Task) FailureFallback() *Task {
	if late := t.TimeoutFallback(); late != nil {
		return late.Fallback
	}

	return t.Fallback
}

// CanTimeOut reports whether the step fails if its time is over.
func (t *Task) CanTimeOut() bool { return t.Within > 0 && t.TimeoutFallback() == nil }

// LoopPart is what a task does that the source does not write as a step. Its output is not
// recorded, and its failure is a failure of the loop, or of the workflow.
type LoopPart uint8

const (
	// PartState assigns the variables of a loop. Its input is their new value.
	PartState LoopPart = iota + 1
	// PartTurn passes on the output of the turn, which the task before it, a [PartState], has
	// replaced.
	PartTurn
	// PartLoop is the loop itself, in the steps that [Loop.Wraps] around it.
	PartLoop
	// PartOutput computes the output of the loop.
	PartOutput
	// PartResult computes the output of a workflow. It is the last task of its body.
	PartResult
	// PartSkipped runs the steps that a loop skips where it has ended at its bound.
	PartSkipped
)

// UndoesFailures reports whether a failed attempt of the task undoes what its inner steps have
// written. A failed fallback of such a task is undone too.
func (t *Task) UndoesFailures() bool { return t.IsTried() && len(t.Pipelines()) > 0 }

// IsTried reports whether the operation of the task runs in attempts, which are limited, repeated
// or replaced by a fallback.
func (t *Task) IsTried() bool {
	isLimited := t.Timeout > 0 || t.Within > 0 || t.Tokens > 0 || t.USD > 0

	return isLimited || t.Retries > 0 || t.Fallback != nil
}

// MergesOutput reports whether the output of the task is merged into the context: updates_context
// is set, and the output may be an object. An output that cannot be one is a diagnostic, and
// nothing is merged. An import copies its outputs itself.
func (t *Task) MergesOutput() bool {
	if _, copies := t.Do.(*Import); copies || !t.UpdatesContext {
		return false
	}

	return t.Fallback != nil || mayBeObject(t.Type.Schema)
}

// MergedSchema returns the schema of what [Task.MergesOutput] merges; nil if nothing is known.
func (t *Task) MergedSchema() *Schema {
	if t.MergedFields == nil {
		return t.Type.Schema
	}
	output := t.Type.Schema.Resolved()
	merged := &Schema{Kind: SchemaObject, Nullable: t.Type.Schema != nil && t.Type.Schema.Nullable}
	for _, name := range t.MergedFields {
		field := output.Property(name.Value)
		if field == nil {
			field = &Property{Name: name, Schema: &Schema{Kind: SchemaAny}}
		}
		merged.Properties = append(merged.Properties, field)
	}

	return merged
}

// mayBeObject reports whether a value of a schema can be an object. A nil schema permits any value.
func mayBeObject(s *Schema) bool {
	return s == nil || s.Nullable || s.Kind == SchemaObject || s.Kind == SchemaAny
}

// Type is what is known of a value before the run.
type Type struct {
	// Schema is the schema of the value; nil if nothing is known.
	Schema *Schema
	// Owner and OwnerName identify the declaration of the schema. The Go type is named after it.
	Owner     Owner
	OwnerName string
	// Alternatives are the schemas of which a value without a Schema has one; nil if they are not
	// known.
	Alternatives *[]*Schema `shape:"-"`
}

// AsSchema returns the schema of the type: one with its alternatives if it has no other, and nil if
// nothing is known.
func (t Type) AsSchema() *Schema {
	if t.Schema != nil || t.Alternatives == nil {
		return t.Schema
	}

	return &Schema{Kind: SchemaAny, Alternatives: *t.Alternatives}
}

// EachAlternative returns the schemas of which a value of the type has one: those of its alternatives,
// and the variants of a union. It returns nil for a type with a single schema, and if one of them is not
// known.
func (t Type) EachAlternative() []*Schema {
	return alternativesOf(t.AsSchema(), 0)
}

// maxNested bounds the unions inside of unions that are looked into.
const maxNested = 8

func alternativesOf(s *Schema, depth int) (all []*Schema) {
	s = s.Resolved()
	if s == nil || depth > maxNested {
		return nil
	}
	among := s.Alternatives
	if s.Kind == SchemaUnion {
		among = Map(s.Variants, func(v *Property) *Schema { return v.Schema })
	}
	for _, one := range among {
		one = one.Resolved()
		inner := alternativesOf(one, depth+1)
		switch {
		case inner != nil:
			all = append(all, inner...)
		case one == nil || one.Kind == SchemaAny || one.Kind == SchemaUnion:
			return nil
		default:
			all = append(all, one)
		}
	}

	return all
}

// LacksField reports whether no value of the type has a field, where it has one of several schemas.
func (t Type) LacksField(name string) bool {
	all := t.EachAlternative()

	return all != nil && !slices.ContainsFunc(all, func(s *Schema) bool {
		return s.Kind == SchemaObject && s.MayHaveField([]string{name})
	})
}

// FieldType returns the type of a field of a value that has one of several schemas: what those have that
// have the field. It is unknown if one of them may have any value there.
func (t Type) FieldType(name string) Type {
	var found []*Schema
	for _, s := range t.EachAlternative() {
		property := s.Property(name)
		switch {
		case property != nil && property.Schema != nil:
			found = append(found, property.Schema)
		case s.Kind == SchemaObject && s.MayHaveField([]string{name}):
			return Type{}
		}
	}
	switch len(found) {
	case 0:
		return Type{}
	case 1:
		return Type{Schema: found[0]}
	}

	return Type{Alternatives: &found}
}

// Owner is the kind of declaration that has a schema.
type Owner uint8

const (
	// OwnerNone has no Go type. Values are dynamic.
	OwnerNone Owner = iota
	// OwnerConversation is the output of the conversation with the label OwnerName.
	OwnerConversation
	// OwnerFunc is the result of a function.
	OwnerFunc
	// OwnerAnswer is the answer of a person. OwnerName is workflow/step.
	OwnerAnswer
	// OwnerContext is the context of a workflow.
	OwnerContext
	// OwnerTool is the arguments of a tool.
	OwnerTool
	// OwnerInput is the input of a workflow.
	OwnerInput
	// OwnerLoop is the variables of a loop. OwnerName is workflow/step.
	OwnerLoop
	// OwnerResult is the output of a workflow. OwnerName is the workflow.
	OwnerResult
	// OwnerHistory is what a conversation in a loop remembers. It has no schema.
	OwnerHistory
)

// IsStruct reports whether a value of the type is a Go struct. Any other value is dynamic.
func (t Type) IsStruct() bool {
	if t.Owner == OwnerNone || t.Schema == nil {
		return false
	}
	isObject := t.Schema.Kind == SchemaObject && !t.Schema.Nullable

	return isObject && (len(t.Schema.Properties) > 0 || t.Schema.Additional == nil)
}

// Output is the target of `steps.<name>`: the newest output of the steps with that name. It is also
// the variable that a step of a pattern assigns, and the name of an item or of the number of a turn
// in the body of a loop.
type Output struct {
	// Name is the name as the first step has it. In a pattern it is a Go identifier.
	Name Text
	// Type is the type of all steps with the name if they agree. Otherwise nothing is known.
	Type Type
}

// ContextWrite is a write to the context by a task that succeeded.
type ContextWrite struct {
	// Path is the path in the context; nil if only the run decides it, so that it may be any.
	Path *ContextPath
	// At is the position of the write in the source.
	At source.Span
	// Merge merges an object into the value at the path. Otherwise the value is replaced.
	Merge bool
	// Schema is the schema of the value; nil if nothing is known. Value is the value as written;
	// nil if a run computes it.
	Schema *Schema
	Value  *Datum
	// IsOutput reports whether the value is the output of the task.
	IsOutput bool
	// Replaces reports whether the value replaces that of a field whatever its rule is.
	Replaces bool
	// ReadsNumbers reports whether a text that reads as a number becomes one where it replaces a
	// number.
	ReadsNumbers bool
}

// ContextWrites returns the writes of the task itself to the context: by a builtin step, by the
// outputs that an import copies back, by sink_to and by updates_context.
func (t *Task) ContextWrites() []ContextWrite {
	var writes []ContextWrite
	switch do := t.Do.(type) {
	case *UseBuiltin:
		if do.Context.Writes() {
			w := ContextWrite{
				Path: do.Path, At: do.At, Merge: do.Context == ContextMerge, Schema: do.Value, Value: t.Input,
				Replaces: do.Context == ContextSet, ReadsNumbers: do.Context == ContextSet,
			}
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
			writes = append(writes, ContextWrite{At: t.UpdatesAt, Replaces: do.Inherit})
		} else if t.UpdatesContext {
			for _, out := range do.Outputs {
				writes = append(writes, ContextWrite{Path: out.Parent, At: out.Parent.Span, Replaces: do.Inherit})
			}
		}
	}
	if t.SinkTo != nil {
		writes = append(writes, ContextWrite{Path: t.SinkTo, At: t.SinkTo.Span, Schema: t.Type.Schema, IsOutput: true})
	}
	if t.MergesOutput() {
		writes = append(writes, ContextWrite{Path: &ContextPath{}, At: t.UpdatesAt, Merge: true, Schema: t.MergedSchema(), IsOutput: true})
	}

	return writes
}

// MayWrite reports whether the write may change a field of the context.
func (w ContextWrite) MayWrite(field []string) bool {
	if w.Path == nil {
		return true
	}
	for i, name := range Values(w.Path.Path) {
		if i == len(field) {
			return true // a part of the field
		}
		if name != field[i] {
			return false
		}
	}

	return !w.Merge || w.Value != nil || w.Schema.MayHaveField(field[len(w.Path.Path):])
}

// Conditions returns the conditions of the task. Some may be nil.
func (t *Task) Conditions() []*Formula {
	switch do := t.Do.(type) {
	case *Branch:
		return []*Formula{do.Key}
	case *Loop:
		return []*Formula{do.Exit}
	case *Machine:
		return Map(do.Guards(), func(guard *Guard) *Formula { return guard.Formula })
	}

	return nil
}
