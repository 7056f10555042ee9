package ir

import "github.com/agentc-dev/agentc/gen/internal/source"

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
		if do.Builtin == "context_set" || do.Builtin == "context_merge" {
			w := ContextWrite{Path: do.Path, At: do.At, Merge: do.Builtin == "context_merge", Schema: do.Value, Value: t.Input}
			if do.Path != nil {
				w.At = do.Path.Span
			}
			for _, arg := range do.Args {
				if arg.Name.Value == "value" {
					w.Value = arg.Value
				}
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
