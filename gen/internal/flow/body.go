package flow

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// asks reports whether a step of a pipeline asks a person; what a machine inside of it asks is asked
// in a state of that.
func asks(p *ir.Pipeline) bool { return slices.ContainsFunc(p.Steps(), taskAsks) }

func taskAsks(t *ir.Task) bool {
	if t.Fallback != nil && taskAsks(t.Fallback) {
		return true
	}
	switch t.Do.(type) {
	case *ir.Ask:
		return true
	case *ir.Machine:
		return false
	}

	return slices.ContainsFunc(t.Pipelines(), asks)
}

// namesNext reports whether the steps of a pipeline in s, whenever they end well, have named a
// next_state.
func namesNext(s *ir.State, p *ir.Pipeline) bool {
	return slices.ContainsFunc(p.Steps(), func(t *ir.Task) bool { return taskNamesNext(s, t) })
}

func taskNamesNext(s *ir.State, t *ir.Task) bool {
	if t.Fallback != nil && !taskNamesNext(s, t.Fallback) {
		return false
	}
	if t.SinkTo != nil && t.SinkTo.Routes() && t.SinkTo.Path[0].Value == ir.NextState && neverEmpty(t.Type.Schema) {
		return true
	}
	switch do := t.Do.(type) {
	case *ir.UseBuiltin, *ir.PassOn:
		return slices.ContainsFunc(s.Next, func(ref ir.Ref) bool {
			return ref.Value != "" && t.Span.File == ref.Span.File && t.Span.Start <= ref.Span.Start && ref.Span.End <= t.Span.End
		})
	case *ir.Loop:
		return !do.Each() && namesNext(s, do.Body)
	case *ir.Branch:
		return !slices.ContainsFunc(t.Pipelines(), func(branch *ir.Pipeline) bool { return !namesNext(s, branch) })
	case *ir.Import:
		return do.OnFailure == ir.FailureAbort && (answersNext(t.Type.Schema) || do.Next && namesNext(s, bodyOf(do)))
	case *ir.Machine, *ir.Parallel:
		return false // their outputs are those of others, or have no fields of their own
	}

	return answersNext(t.Type.Schema)
}

// bodyOf returns the steps of what is imported.
func bodyOf(do *ir.Import) *ir.Pipeline { return do.Agent.Agent.Node.(*ir.Workflow).Body }

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
