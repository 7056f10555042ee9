package interp

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// NamesNext reports whether the steps of a pipeline in s have named a next_state whenever they end
// well.
func NamesNext(s *ir.State, p *ir.Pipeline) bool {
	return slices.ContainsFunc(p.Steps(), func(t *ir.Task) bool { return taskNamesNext(s, t) })
}

func taskNamesNext(s *ir.State, t *ir.Task) bool {
	if t.Fallback != nil && !taskNamesNext(s, t.Fallback) {
		return false
	}
	if t.SinkTo != nil && t.SinkTo.IsRouting() && t.SinkTo.Path[0].Value == ir.NextState && isNeverEmpty(t.Type.Schema) {
		return true
	}
	switch do := t.Do.(type) {
	case *ir.UseBuiltin, *ir.PassOn:
		return slices.ContainsFunc(s.Next, func(ref ir.Ref) bool {
			return ref.Value != "" && t.Span.File == ref.Span.File && t.Span.Start <= ref.Span.Start && ref.Span.End <= t.Span.End
		})
	case *ir.Loop:
		return !do.IsForEach() && !do.ExitFirst && NamesNext(s, do.Body)
	case *ir.Branch:
		return !slices.ContainsFunc(t.Pipelines(), func(branch *ir.Pipeline) bool { return !NamesNext(s, branch) })
	case *ir.Import:
		return do.OnFailure == ir.FailureAbort && (alwaysReturnsNext(t.Type.Schema) || do.Next && NamesNext(s, importBody(do)))
	case *ir.Machine, *ir.Parallel:
		return false // they give outputs of other steps, or outputs without fields
	case *ir.Run, *ir.Receive, *ir.UseFunc, *ir.Ask, *ir.Return: // their outputs have a schema
	}

	return alwaysReturnsNext(t.Type.Schema)
}

// importBody returns the steps of an imported flow.
func importBody(do *ir.Import) *ir.Pipeline { return do.Agent.Agent.Node.(*ir.Flow).Body }

// alwaysReturnsNext reports whether every output that fits a schema has a next_state that is not
// empty.
func alwaysReturnsNext(schema *ir.Schema) bool {
	next := schema.Property(ir.NextState)

	return next != nil && !schema.Nullable && next.Required && isNeverEmpty(next.Schema)
}

func isNeverEmpty(text *ir.Schema) bool {
	if text == nil || text.Kind != ir.SchemaString || text.Nullable {
		return false
	}
	if slices.Contains(text.Enum, `""`) || slices.Contains(text.Enum, "null") {
		return false
	}

	return len(text.Enum) > 0 || text.MinLength != nil && *text.MinLength > 0
}
