package graph

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// errorPlaces are where the sources of a picture have errors.
type errorPlaces []source.Span

// at reports whether one of the texts overlaps an error.
func (e errorPlaces) at(texts ...source.Span) bool {
	return slices.ContainsFunc(texts, func(text source.Span) bool {
		return text.IsValid() && slices.ContainsFunc(e, func(err source.Span) bool {
			return err.File == text.File && err.Start <= text.End && text.Start <= err.End
		})
	})
}

// in reports whether a file has an error.
func (e errorPlaces) in(file *source.File) bool {
	return file != nil && slices.ContainsFunc(e, func(err source.Span) bool { return err.File == file })
}

// of reports whether a file of an agent has an error. An agent that is nil is undefined.
func (e errorPlaces) of(a *ir.Agent) bool {
	return len(e) > 0 && (a == nil || e.in(a.File) || slices.ContainsFunc(a.Conversations(), func(s *ir.Step) bool { return e.in(s.File) }))
}

// mark says that a node or a frame is drawn as one with an error.
func (b *builder) mark(id string, isFaulty bool) {
	if isFaulty {
		b.parts[id].mark = faulty
	}
}

// row marks the edge of a row that has an error, and leads it to a node of its own where its target
// is undefined.
func (b *builder) row(f *frame, e edge, r *ir.Row) edge {
	if b.errors.at(r.Key.Span, r.To.Span) || r.When != nil && b.errors.at(r.When.Text.Span) {
		e.mark = faulty
	}
	if e.to == "" && e.mark == faulty {
		e.to = b.add(f, r.To.Value, kindMarker)
		b.mark(e.to, true)
	}

	return e
}
