package interp

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// NamesNext reports whether the steps of a pipeline in s, whenever they end well, have named a
// next_state.
func NamesNext(s *ir.State, p *ir.Pipeline) bool {
	return slices.ContainsFunc(p.Steps(), func(t *ir.Task) bool { return taskNamesNext(s, t) })
}

func taskNamesNext(s *ir.State, t *ir.Task) bool {
	if t.Fallback != nil && !taskNamesNext(s, t.Fallback) {
		return false
	}
	if t.SinkTo != nil && t.SinkTo.IsRouting() && t.SinkTo.Path[0].Value == ir.NextState && neverEmpty(t.Type.Schema) {
		return true
	}
	switch do := t.Do.(type) {
	case *ir.UseBuiltin, *ir.PassOn:
		return slices.ContainsFunc(s.Next, func(ref ir.Ref) bool {
			return ref.Value != "" && t.Span.File == ref.Span.File && t.Span.Start <= ref.Span.Start && ref.Span.End <= t.Span.End
		})
	case *ir.Loop:
		return !do.IsForEach() && NamesNext(s, do.Body)
	case *ir.Branch:
		return !slices.ContainsFunc(t.Pipelines(), func(branch *ir.Pipeline) bool { return !NamesNext(s, branch) })
	case *ir.Import:
		return do.OnFailure == ir.FailureAbort && (answersNext(t.Type.Schema) || do.Next && NamesNext(s, bodyOf(do)))
	case *ir.Machine, *ir.Parallel:
		return false // their outputs are those of others, or have no fields of their own
	case *ir.Run, *ir.UseFunc, *ir.Ask, *ir.Return: // what they give has a schema
	}

	return answersNext(t.Type.Schema)
}

// bodyOf returns the steps of what is imported.
func bodyOf(do *ir.Import) *ir.Pipeline { return do.Agent.Agent.Node.(*ir.Flow).Body }

// answersNext reports whether every output that fits a schema has a next_state that is not empty.
func answersNext(schema *ir.Schema) bool {
	next := schema.Property(ir.NextState)

	return next != nil && !schema.Nullable && next.Required && neverEmpty(next.Schema)
}

func neverEmpty(text *ir.Schema) bool {
	if text == nil || text.Kind != ir.SchemaString || text.Nullable {
		return false
	}
	if slices.Contains(text.Enum, `""`) || slices.Contains(text.Enum, "null") {
		return false
	}

	return len(text.Enum) > 0 || text.MinLength != nil && *text.MinLength > 0
}
