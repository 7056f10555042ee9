package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// path is a path as far as it has been read: a name of the scope, and what is reached from it.
type path struct {
	place
	// access is the value that the path has led to; nil for a name that is only a way to its members.
	access *ir.Access
	// name is what the path has led to while that is a name of the scope: it has members.
	name *Name
	// same says that a name which means the value itself has been passed.
	same bool
	// steps says that the path is `steps`, step that it is the output of a step, which is its own output, result and
	// value.
	steps, step bool
	// bad says that something was reported; nothing more is.
	bad bool
	// other is what the path means if there is nothing where it has led to; nil: nothing else.
	other *path
}

// part is a name in a path: its place, without quotes, and the text.
type part struct {
	place
	name string
}

// roots are the names that a path can begin with.
func (r *reader) roots() []string {
	names := present(r.names())
	if r.scope.Steps != nil {
		names = append(names, stepsName)
	}

	return names
}

// names are the names of the scope, what {{#each}} adds included.
func (r *reader) names() []Name {
	if n := len(r.items); n > 0 {
		return append([]Name{r.items[n-1]}, r.scope.Names...)
	}

	return r.scope.Names
}

// present returns what the names are that mean something here.
func present(names []Name) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(n Name) bool { return n.Absent != "" })

	return ir.Map(names, func(n Name) string { return n.Name })
}

// root begins a path.
func (r *reader) root(first part) path {
	if first.name == stepsName && r.scope.Steps != nil {
		return path{place: first.place, access: &ir.Access{Root: ir.RootSteps, Type: anObject}, steps: true}
	}
	for _, n := range r.names() {
		switch {
		case n.Name != first.name:
		case n.Absent != "":
			r.report(diag.UndefinedVariable, first.place, "%q is not defined here: %s", n.Name, n.Absent)
			return path{place: first.place, bad: true}
		default:
			return named(first.place, &n)
		}
	}
	r.undefined(first)

	return path{place: first.place, bad: true}
}

var anObject = ir.Type{Schema: &ir.Schema{Kind: ir.SchemaObject, Additional: &ir.Schema{Kind: ir.SchemaAny}}}

// named is a path that has led to a name of the scope.
func named(at place, n *Name) path {
	p := path{place: at, name: n}
	if n.Value != nil {
		access := *n.Value
		p.access = &access
	}

	return p
}

// undefined reports a name with which no path can begin.
func (r *reader) undefined(first part) {
	d := r.report(diag.UndefinedVariable, first.place, "%q is not defined here", first.name)
	roots := r.roots()
	if r.isStep(first.name) {
		d.WithHint("write %s", r.stepPath(first.name))
		r.fix(d, "write "+r.stepPath(first.name), edit{first.place, r.stepPath(first.name)})
	} else {
		d.WithHint("%s", r.words().otherwise).Suggest(first.name, roots)
	}
	d.Note(noSpan, "the names are %s", strings.Join(roots, ", "))
}

// member goes on to what is called next. at is the path with it, brackets and calls included.
func (r *reader) member(p path, next part, at place) path {
	at.start = p.start
	from := p.place
	p.place = at
	switch {
	case p.bad:
		return p
	case p.steps:
		return r.stepOutput(p, next)
	case p.access != nil && p.access.Default != nil:
		r.unsupported(next.place, "a value with a default cannot be followed by fields")
		p.bad = true
		return p
	}
	if p.other != nil {
		p.other = r.tried(*p.other, next, at)
	}
	if p.name != nil {
		if q, ok := r.memberOfName(p, next); ok {
			return q
		}
	}
	if p.access != nil {
		return r.field(p, from, next)
	}
	names := present(p.name.Members)
	r.report(diag.UndefinedVariable, next.place, "%s has no field %q", r.called(from), next.name).
		Suggest(next.name, names).Note(noSpan, "its fields are %s", diag.Listed(names))
	p.bad = true

	return p
}

// memberOfName goes on from a name of the scope to what is not a property of its value.
func (r *reader) memberOfName(p path, next part) (path, bool) {
	for _, m := range p.name.Members {
		switch {
		case m.Name != next.name:
		case m.Absent != "":
			r.report(diag.UndefinedVariable, next.place, "%q is not defined here: %s", m.Name, m.Absent)
			p.bad = true
			return p, true
		default:
			return named(p.place, &m), true
		}
	}
	if !p.same && slices.Contains(p.name.Same, next.name) {
		p.same = true
		return p, true
	}
	if p.name.StepOf == nil || p.access != nil && p.access.Type.Schema.Property(next.name) != nil {
		return p, false
	}
	step, ok := p.name.StepOf(next.name)
	switch {
	case !ok:
	case p.name.Lacks != nil && p.name.Lacks(next.name):
		return r.stepOfName(p, step, next), true
	case step.Ran != RanNever:
		other := r.ofStep(p, step, next)
		q := r.field(p, p.place, next)
		q.other = &other
		return q, true
	}

	return p, false
}

// tried is member for what a path may mean; nil if it cannot, which is not a mistake.
func (r *reader) tried(p path, next part, at place) *path {
	before := len(r.found)
	if p = r.member(p, next, at); len(r.found) > before {
		r.found = r.found[:before]
		return nil
	}

	return &p
}

// called is how a message calls what is at a place; the context may be meant without being written.
func (r *reader) called(at place) string {
	if at.start == at.end {
		return "the context"
	}

	return r.written(at)
}

// access ends a path: it is the value that it has led to.
func (r *reader) access(p path) ir.Expression {
	if p.access == nil && !p.bad {
		d := r.report(diag.UndefinedVariable, p.place, "%s is not a value", r.written(p.place))
		names := ir.Map(p.name.Members, func(m Name) string { return r.written(p.place) + "." + m.Name })
		d.WithHint("there are %s", diag.Listed(names))
	}
	if p.access == nil || p.bad {
		return r.unknown(p.place)
	}
	p.access.Span, p.access.Written = r.span(p.place), r.written(p.place)
	if p.other == nil {
		return p.access
	}
	p.other.access.Span, p.other.access.Written = p.access.Span, p.access.Written

	return &ir.Placeholder{Span: p.access.Span, Values: []ir.Expression{p.access, p.other.access}}
}

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
