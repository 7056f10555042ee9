package graph

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// errorPlaces are the positions of errors in the sources of a picture.
type errorPlaces []source.Span

// overlaps reports whether one of the spans overlaps an error.
func (e errorPlaces) overlaps(texts ...source.Span) bool {
	return slices.ContainsFunc(texts, func(text source.Span) bool {
		return text.IsValid() && slices.ContainsFunc(e, func(err source.Span) bool {
			return err.File == text.File && err.Start <= text.End && text.Start <= err.End
		})
	})
}

// hasFile reports whether a file has an error.
func (e errorPlaces) hasFile(file *source.File) bool {
	return file != nil && slices.ContainsFunc(e, func(err source.Span) bool { return err.File == file })
}

// hasAgent reports whether a file of an agent has an error. It is true for nil, an undefined agent.
func (e errorPlaces) hasAgent(a *ir.Agent) bool {
	return len(e) > 0 && (a == nil || e.hasFile(a.File) || slices.ContainsFunc(a.Conversations(), func(s *ir.Step) bool { return e.hasFile(s.File) }))
}

// markError draws a node or a frame as one with an error.
func (b *builder) markError(id string, isFaulty bool) {
	if isFaulty {
		b.parts[id].mark = faulty
	}
}

// markRow marks the edge of a row with an error. If the target is undefined, the edge leads to a
// new node.
func (b *builder) markRow(f *frame, e edge, r *ir.Row) edge {
	if b.errors.overlaps(r.Key.Span, r.To.Span) || r.When != nil && b.errors.overlaps(r.When.Text.Span) {
		e.mark = faulty
	}
	if e.to == "" && e.mark == faulty {
		e.to = b.addNode(f, r.To.Value, kindMarker)
		b.markError(e.to, true)
	}

	return e
}
