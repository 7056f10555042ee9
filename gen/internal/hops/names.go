package hops

import "github.com/agentc-dev/agentc/gen/internal/ir"

// names reports whether, whenever the steps of a pipeline in s come to their end, they have named a next_state.
func names(s *ir.State, p *ir.Pipeline) bool {
	if p == nil {
		return false
	}
	for _, t := range p.Tasks {
		if namesIn(s, t) {
			return true
		}
	}

	return false
}

func namesIn(s *ir.State, t *ir.Task) bool {
	if t.Fallback != nil && !namesIn(s, t.Fallback) {
		return false
	}
	if t.SinkTo != nil && t.SinkTo.Routes() && t.SinkTo.Path[0].Value == ir.NextState && neverEmpty(t.Type.Schema) {
		return true
	}
	switch do := t.Do.(type) {
	case *ir.UseBuiltin, *ir.PassOn:
		return writes(s, t)
	case *ir.Repeat:
		return names(s, do.Body)
	case *ir.Conditional:
		all := do.Default == nil || names(s, do.Default)
		for _, arm := range do.Branches {
			all = all && names(s, arm.Body)
		}
		return all
	case *ir.Import:
		return do.OnFailure == ir.FailureAbort && (answers(t.Type.Schema) || do.Next && names(s, bodyOf(do)))
	case *ir.Machine, *ir.Each, *ir.Fork:
		return false // their outputs are those of others, or have no fields of their own
	}

	return answers(t.Type.Schema)
}

// bodyOf returns the steps of what is imported.
func bodyOf(do *ir.Import) *ir.Pipeline { return do.Agent.Agent.Node.(*ir.Workflow).Body }

// writes reports whether a step itself writes a next_state that stands in the source.
func writes(s *ir.State, t *ir.Task) bool {
	for _, ref := range s.Next {
		if ref.Value != "" && t.Span.File == ref.Span.File && t.Span.Start <= ref.Span.Start && ref.Span.End <= t.Span.End {
			return true
		}
	}

	return false
}

// answers reports whether every output that fits a schema has the text next_state, which is not empty.
func answers(schema *ir.Schema) bool {
	if schema == nil || schema.Kind != ir.SchemaObject || schema.Nullable {
		return false
	}
	for _, p := range schema.Properties {
		if p.Name.Value == ir.NextState {
			return p.Required && neverEmpty(p.Schema)
		}
	}

	return false
}

func neverEmpty(text *ir.Schema) bool {
	if text == nil || text.Kind != ir.SchemaString || text.Nullable {
		return false
	}
	for _, value := range text.Enum {
		if value == `""` || value == "null" {
			return false
		}
	}

	return len(text.Enum) > 0 || text.MinLength != nil && *text.MinLength > 0
}
