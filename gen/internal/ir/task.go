package ir

import (
	"time"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Pipeline is tasks that are done one after another. Each is given the output of the one before it, the first the pipeline's input,
// unless it says itself what it is given.
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

// Task is a step of a flow.
type Task struct {
	// Name is what the step is called. One that a pattern has is called by the pattern, without a place in the source.
	Name Text
	// Span is the whole step in the source; the zero Span for one of a pattern.
	Span source.Span
	// Do is what the step does; nil when that was reported.
	Do Op
	// Input is what the step is given; nil: the output of the step before it.
	Input *Datum
	// Output is where the step's output is kept: that of its name. It is nil where nothing can name it.
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

	return t.Fallback != nil || mayBeObject(t.Type.Schema)
}

// mayBeObject reports whether a value of a schema can be an object; nil is the schema of any value.
func mayBeObject(s *Schema) bool {
	return s == nil || s.Nullable || s.Kind == SchemaObject || s.Kind == SchemaAny
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
	if t.Owner == OwnerNone || t.Schema == nil {
		return false
	}
	isObject := t.Schema.Kind == SchemaObject && !t.Schema.Nullable

	return isObject && (len(t.Schema.Properties) > 0 || t.Schema.Additional == nil)
}

// Output is what `steps.<name>` names: the newest output of the steps called so. It is the variable that a step of a pattern
// assigns, too, and the name of an item or of the number of a turn in the body of a loop.
type Output struct {
	// Name is that of the first step of the name. In a pattern it is a Go identifier.
	Name Text
	// Type is that of all steps of the name if it is the same; else nothing is known.
	Type Type
}

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
	// IsOutput says that the value is the output of the task.
	IsOutput bool
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
		writes = append(writes, ContextWrite{Path: t.SinkTo, At: t.SinkTo.Span, Schema: t.Type.Schema, IsOutput: true})
	}
	if t.Merges() {
		writes = append(writes, ContextWrite{Path: &ContextPath{}, At: t.UpdatesAt, Merge: true, Schema: t.Type.Schema, IsOutput: true})
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

	return !w.Merge || w.Value != nil || w.Schema.MayHave(field[len(w.Path.Path):])
}

// Conditions returns the conditions of the task; those that it lacks may be nil.
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
