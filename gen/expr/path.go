package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// path is a path as far as it has been read: a name of the scope, and what is reached from it.
type path struct {
	place
	// access is the value that the path has led to; nil for a name that is only a way to its members.
	access *ir.Access
	// name is what the path has led to while that is a name of the scope: it has members.
	name *Name
	// same says that a name which stands for the value itself has been passed.
	same bool
	// steps says that the path is `steps`, step that it is the output of a step, which is its own output, result and value.
	steps, step bool
	// bad says that something was reported; nothing more is.
	bad bool
}

// part is a name in a path: where it stands, quotes aside, and the text.
type part struct {
	place
	name string
}

// stepsName is the name below which the outputs of all steps are.
const stepsName = "steps"

// roots are the names that a path can begin with.
func (r *reader) roots() []string {
	var names []string
	for _, n := range r.names() {
		if n.Absent == "" {
			names = append(names, n.Name)
		}
	}
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
		r.mend(d, "write "+r.stepPath(first.name), edit{first.place, r.stepPath(first.name)})
	} else if d.Suggest(first.name, roots); d.Hint == "" {
		d.WithHint("a text stands in quotes")
	}
	d.Note(noSpan, "the names are %s", strings.Join(roots, ", "))
}

// isStep reports whether a step has the name.
func (r *reader) isStep(name string) bool {
	if r.scope.Steps == nil {
		return false
	}
	_, ok := r.scope.Steps.Step(name)

	return ok
}

// stepPath is how the output of a step is written.
func (r *reader) stepPath(name string) string {
	if isIdentifier(name) && !reserved[name] {
		return stepsName + "." + name
	}

	return stepsName + "[" + quoteText(name) + "]"
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
		r.unsupported(next.place, "what has a default has no fields behind it")
		p.bad = true
		return p
	}
	if p.name != nil {
		if q, ok := r.memberOfName(p, next); ok {
			return q
		}
	}
	if p.access == nil {
		return r.noMember(p, from, next)
	}

	return r.field(p, from, next)
}

// memberOfName goes on from a name of the scope to what is no property of its value.
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
	if p.name.StepOf == nil {
		return p, false
	}
	step, ok := p.name.StepOf(next.name)
	if !ok {
		return p, false
	}

	d := r.report(diag.DeprecatedForm, next.place, "%q is a step, and its output no part of the %s", next.name, p.name.Name)
	before := place{p.start, r.wordEnd(p.start)}
	if p.same {
		before.end = r.partEnd(next)
	}
	d.WithHint("write %s", r.stepPath(next.name))
	r.mend(d, "write "+r.stepPath(next.name), edit{before, stepsName})

	return r.ofStep(p, step, next), true
}

// wordEnd returns where the word that begins at i ends.
func (r *reader) wordEnd(i int) int {
	n := strings.IndexFunc(r.text.Value[i:], func(c rune) bool { return !isNamePart(c) })
	if n < 0 {
		return len(r.text.Value)
	}

	return i + n
}

// partEnd returns where the sign stands that is before a part of a path.
func (r *reader) partEnd(next part) int {
	return strings.LastIndexAny(r.text.Value[:next.start], ".[")
}

// noMember reports what is not below a name without a value.
func (r *reader) noMember(p path, from place, next part) path {
	var names []string
	for _, m := range p.name.Members {
		if m.Absent == "" {
			names = append(names, m.Name)
		}
	}
	r.report(diag.UndefinedVariable, next.place, "%s has no field %q", r.called(from), next.name).
		Suggest(next.name, names).Note(noSpan, "its fields are %s", listed(names))
	p.bad = true

	return p
}

// stepOutput goes on from `steps`.
func (r *reader) stepOutput(p path, next part) path {
	step, ok := r.scope.Steps.Step(next.name)
	if !ok {
		r.noStep(next)
		return path{place: p.place, bad: true}
	}

	return r.ofStep(p, step, next)
}

// noStep reports the name of a step that does not exist.
func (r *reader) noStep(next part) {
	names := r.scope.Steps.StepNames()
	d := r.report(diag.UndefinedStepOutput, next.place, "there is no step %q", next.name).Suggest(next.name, names)
	if d.Hint == "" && len(names) > 0 {
		d.Note(noSpan, "the steps are %s", listed(names))
	}
}

// ofStep goes on to the output of a step.
func (r *reader) ofStep(p path, step StepName, next part) path {
	if step.Ran == RanNever {
		d := r.report(diag.UnreadBeforeWritten, next.place, "step %q cannot have run when its output is read here", next.name)
		if step.Output != nil && step.Output.Name.Span.IsValid() {
			d.Note(step.Output.Name.Span, "step %q stands here", next.name)
		}
		return path{place: p.place, bad: true}
	}
	access := &ir.Access{Root: ir.RootStep, Output: step.Output, Maybe: step.Ran != RanAlways}
	if step.Output != nil {
		access.Type = step.Output.Type
	}

	return path{place: p.place, access: access, step: true}
}

// ownNames are names of a step's output itself, where its schema has no such property.
var ownNames = []string{"output", "result", "value"}

// field goes on to a property.
func (r *reader) field(p path, from place, next part) path {
	schema := p.access.Type.Schema
	own := p.step && slices.Contains(ownNames, next.name)
	p.name, p.step = nil, false
	property := propertyOf(schema, next.name)
	switch {
	case own && property == nil:
		return p
	case schema == nil || schema.Kind == ir.SchemaAny:
		p.access.Type, p.access.Maybe = ir.Type{}, true
	case property != nil:
		p.access.Type.Schema = property.Schema
		p.access.Maybe = p.access.Maybe || schema.Nullable || !property.Required && property.Schema.Default == ""
	case schema.Kind == ir.SchemaObject && schema.Additional != nil:
		p.access.Type.Schema, p.access.Maybe = schema.Additional, true
	default:
		r.noField(schema, from, next)
		p.bad = true
		return p
	}
	p.access.Path = append(slices.Clip(p.access.Path), ir.Field{
		Name: ir.Text{Value: next.name, Span: r.span(next.place)}, Property: property,
	})

	return p
}

func propertyOf(schema *ir.Schema, name string) *ir.Property {
	if schema == nil || schema.Kind != ir.SchemaObject {
		return nil
	}
	for _, p := range schema.Properties {
		if p.Name.Value == name {
			return p
		}
	}

	return nil
}

// noField reports a property that a value cannot have.
func (r *reader) noField(schema *ir.Schema, from place, next part) {
	if schema.Kind != ir.SchemaObject {
		r.report(diag.UndefinedVariable, next.place, "%s is %s, which has no fields", r.called(from), kindsOfSchema(schema).there().some())
		return
	}
	var names []string
	for _, p := range schema.Properties {
		names = append(names, p.Name.Value)
	}
	d := r.report(diag.UndefinedVariable, next.place, "%s has no field %q", r.called(from), next.name).Suggest(next.name, names)
	if len(names) > 0 {
		d.Note(schema.Span, "its fields are %s", listed(names))
	}
}

// called is how a message calls what stands at a place; the context may be meant without being written.
func (r *reader) called(at place) string {
	if at.start == at.end {
		return "the context"
	}

	return r.written(at)
}

// access ends a path: it is the value that it has led to.
func (r *reader) access(p path) ir.Expression {
	if p.access == nil && !p.bad {
		d := r.report(diag.UndefinedVariable, p.place, "%s is no value", r.written(p.place))
		var names []string
		for _, m := range p.name.Members {
			names = append(names, r.written(p.place)+"."+m.Name)
		}
		d.WithHint("there are %s", listed(names))
	}
	if p.access == nil || p.bad {
		return r.unknown(p.place)
	}
	p.access.Span = r.span(p.place)

	return p.access
}
