package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Place reads a place in the context, such as the `sink_to` of a step: names with dots between them, with or without
// `context` in front. context is what the scope has under that name. typ is what may be put there, if the context is
// declared. The path is nil if there are diagnostics.
func Place(text ir.Text, context Name) (path *ir.ContextPath, typ ir.Type, found []*diag.Diagnostic) {
	context.StepOf = nil // it is written to
	r := newReader(text, &Scope{Names: []Name{context}})
	parts := r.dotted()
	if r.failed() {
		return nil, ir.Type{}, r.found
	}
	if parts[0].name == context.Name {
		parts = parts[1:]
	}
	p := named(place{}, &context)
	if len(parts) > 0 && slices.Contains(context.Same, parts[0].name) {
		p.same, parts = true, parts[1:]
	}
	if len(parts) == 0 {
		r.report(diag.BadValue, place{0, len(text.Value)},
			"%q is the whole %s, not a field of it", text.Value, context.Name)
		return nil, ir.Type{}, r.found
	}

	path = &ir.ContextPath{Text: text}
	for _, next := range parts {
		p = r.member(p, next, next.place)
		path.Path = append(path.Path, ir.Text{Value: next.name, Span: r.span(next.place)})
	}
	if p.bad {
		return nil, ir.Type{}, r.found
	}

	return path, p.access.Type, nil
}

// dotted cuts a path at its dots.
func (r *reader) dotted() []part {
	var parts []part
	start := 0
	for _, name := range strings.Split(r.text.Value, ".") {
		at := place{start, start + len(name)}
		start = at.end + 1
		if trimmed := strings.TrimSpace(name); trimmed != name || strings.ContainsAny(name, "{}[]()'\"") || name == "" {
			r.report(diag.BadValue, place{0, len(r.text.Value)}, "%q is not a field of the context", r.text.Value).
				WithHint("write names separated by dots, such as context.draft")
			return nil
		}
		parts = append(parts, part{at, name})
	}

	return parts
}
