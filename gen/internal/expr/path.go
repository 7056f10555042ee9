package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// path is a partly parsed path: a name of the scope, and its fields.
type path struct {
	place
	// access is the current value of the path; nil for a name that only has members.
	access *ir.Access
	// name is the current name of the scope, while it may have members.
	name *Name
	// same is true after a name that means the value itself.
	same bool
	// steps is true for the path `steps`. step is true for the output of a step, which also has the
	// fields output, result and value.
	steps, step bool
	// bad is true after a reported mistake.
	bad bool
	// other is the meaning of the path if its value is missing, or nil.
	other *path
}

// part is a name in a path: its place, without quotes, and the text.
type part struct {
	place
	name string
}

// rootNames returns the names that a path can begin with.
func (r *reader) rootNames() []string {
	names := availableNames(r.scopeNames())
	if r.scope.Steps != nil {
		names = append(names, stepsName)
	}

	return names
}

// scopeNames returns the names of the scope, including the item of {{#each}}.
func (r *reader) scopeNames() []Name {
	if n := len(r.items); n > 0 {
		return slices.Concat([]Name{r.items[n-1]}, itemNames, r.scope.Names)
	}

	return r.scope.Names
}

// itemNames are the names in {{#each}} besides the item.
var itemNames = []Name{
	{Name: "@index", Value: &ir.Access{Root: ir.RootItemIndex, Type: ir.Type{Schema: &ir.Schema{Kind: ir.SchemaInteger}}}},
	{Name: "@first", Value: &ir.Access{Root: ir.RootItemFirst, Type: ir.Type{Schema: &ir.Schema{Kind: ir.SchemaBoolean}}}},
	{Name: "@last", Value: &ir.Access{Root: ir.RootItemLast, Type: ir.Type{Schema: &ir.Schema{Kind: ir.SchemaBoolean}}}},
}

// availableNames returns the names that have a value here.
func availableNames(names []Name) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(n Name) bool { return n.Absent != "" })

	return ir.Map(names, func(n Name) string { return n.Name })
}

// resolveRoot begins a path.
func (r *reader) resolveRoot(first part) path {
	if first.name == stepsName && r.scope.Steps != nil {
		return path{place: first.place, access: &ir.Access{Root: ir.RootSteps, Type: anObject}, steps: true}
	}
	for _, n := range r.scopeNames() {
		switch {
		case n.Name != first.name:
		case n.Absent != "":
			r.report(diag.UndefinedVariable, first.place, "%q is not defined here: %s", n.Name, n.Absent)
			return path{place: first.place, bad: true}
		default:
			return pathOfName(first.place, &n)
		}
	}
	r.reportUndefined(first)

	return path{place: first.place, bad: true}
}

var anObject = ir.Type{Schema: &ir.Schema{Kind: ir.SchemaObject, Additional: &ir.Schema{Kind: ir.SchemaAny}}}

// pathOfName returns the path of a name of the scope.
func pathOfName(at place, n *Name) path {
	p := path{place: at, name: n}
	if n.Value != nil {
		access := *n.Value
		p.access = &access
	}

	return p
}

// reportUndefined reports a name that no path can begin with.
func (r *reader) reportUndefined(first part) {
	d := r.report(diag.UndefinedVariable, first.place, "%q is not defined here", first.name)
	roots := r.rootNames()
	if r.hasStep(first.name) {
		d.WithHint("write %s", r.stepPath(first.name))
		r.addFix(d, "write "+r.stepPath(first.name), edit{first.place, r.stepPath(first.name)})
	} else {
		d.WithHint("%s", r.vocabulary().otherwise).Suggest(first.name, roots)
	}
	d.Note(noSpan, "the names are %s", strings.Join(roots, ", "))
}

// resolveMember extends a path by a name. at is the place of the name with its brackets.
func (r *reader) resolveMember(p path, next part, at place) path {
	at.start = p.start
	from := p.place
	p.place = at
	switch {
	case p.bad:
		return p
	case p.steps:
		return r.resolveStep(p, next)
	case p.access != nil && p.access.Default != nil:
		r.unsupported(next.place, "a value with a default cannot be followed by fields")
		p.bad = true
		return p
	}
	if p.other != nil {
		p.other = r.tryMember(*p.other, next, at)
	}
	if p.name != nil {
		if q, ok := r.resolveNameMember(p, next); ok {
			return q
		}
	}
	if p.access != nil {
		return r.resolveField(p, from, next)
	}
	names := availableNames(p.name.Members)
	r.report(diag.UndefinedVariable, next.place, "%s has no field %q", r.describePlace(from), next.name).
		Suggest(next.name, names).Note(noSpan, "its fields are %s", diag.JoinNames(names))
	p.bad = true

	return p
}

// resolveNameMember extends a name of the scope by a name that is not a property of its value.
func (r *reader) resolveNameMember(p path, next part) (path, bool) {
	for _, m := range p.name.Members {
		switch {
		case m.Name != next.name:
		case m.Absent != "":
			r.report(diag.UndefinedVariable, next.place, "%q is not defined here: %s", m.Name, m.Absent)
			p.bad = true
			return p, true
		default:
			return pathOfName(p.place, &m), true
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
		return r.resolveContextStep(p, step, next), true
	case step.Ran != RanNever:
		other := r.outputOfStep(p, step, next)
		q := r.resolveField(p, p.place, next)
		q.other = &other
		return q, true
	}

	return p, false
}

// tryMember is resolveMember for a possible meaning of a path. It returns nil after a mistake,
// which it does not report.
func (r *reader) tryMember(p path, next part, at place) *path {
	before := len(r.found)
	p = r.resolveMember(p, next, at)
	if len(r.found) > before {
		r.found = r.found[:before]
		return nil
	}

	return &p
}

// describePlace describes a place in messages. The context may be implicit.
func (r *reader) describePlace(at place) string {
	if at.start == at.end {
		return "the context"
	}

	return r.sourceText(at)
}

// finishPath ends a path and returns its value.
func (r *reader) finishPath(p path) ir.Expression {
	if p.access == nil && !p.bad {
		d := r.report(diag.UndefinedVariable, p.place, "%s is not a value", r.sourceText(p.place))
		names := ir.Map(availableNames(p.name.Members), func(name string) string { return r.sourceText(p.place) + "." + name })
		d.WithHint("there are %s", diag.JoinNames(names))
	}
	if p.access == nil || p.bad {
		return r.unknownValue(p.place)
	}
	p.access.Span, p.access.Written = r.span(p.place), r.sourceText(p.place)
	if p.other == nil {
		return p.access
	}
	p.other.access.Span, p.other.access.Written = p.access.Span, p.access.Written

	return &ir.Placeholder{Span: p.access.Span, Values: []ir.Expression{p.access, p.other.access}}
}

// ParsePath parses a context path, such as the `sink_to` of a step: names with dots between them,
// with or without `context` in front. context is the name of the context in the scope. typ is the
// declared type. The path is nil if there are diagnostics.
func ParsePath(text ir.Text, context Name) (path *ir.ContextPath, typ ir.Type, found []*diag.Diagnostic) {
	context.StepOf = nil // a written path is never a step
	r := newReader(text, &Scope{Names: []Name{context}})
	parts := r.splitPath()
	if r.hasError() {
		return nil, ir.Type{}, r.found
	}
	if parts[0].name == context.Name {
		parts = parts[1:]
	}
	p := pathOfName(place{}, &context)
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
		p = r.resolveMember(p, next, next.place)
		path.Path = append(path.Path, ir.Text{Value: next.name, Span: r.span(next.place)})
	}
	if p.bad {
		return nil, ir.Type{}, r.found
	}

	return path, p.access.Type, nil
}

// splitPath splits a path at its dots.
func (r *reader) splitPath() []part {
	var parts []part
	start := 0
	for _, name := range strings.Split(r.text.Value, ".") {
		at := place{start, start + len(name)}
		start = at.end + 1
		isPlain := name != "" && !strings.ContainsAny(name, "{}[]()'\"")
		if !isPlain || strings.TrimSpace(name) != name {
			r.report(diag.BadValue, place{0, len(r.text.Value)}, "%q is not a field of the context", r.text.Value).
				WithHint("write names separated by dots, such as context.draft")
			return nil
		}
		parts = append(parts, part{at, name})
	}

	return parts
}
