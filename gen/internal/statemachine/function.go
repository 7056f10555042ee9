package statemachine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// function is a method of Funcs. All steps of all workflows that use its name share it. A schema or a
// trait of one step applies to all, and two different ones are a mistake.
type function struct {
	ir.Func
	used bool
	// declared are the fields of steps that declare its traits, by their names.
	declared map[string]*yamldoc.Field
	// takes are the names of fields of the context, where a step first declares them.
	takes []ir.Text
}

// traitFields are the fields of a step that declare what calls of its function do.
var traitFields = []string{"effect", "idempotent", "on_unknown", "interruptible"}

// functionNamed returns the function with a name, which may be new.
func (s *Set) functionNamed(name ir.Text) *function {
	if s.functions[name.Value] == nil {
		s.functions[name.Value] = &function{Func: ir.Func{Name: name}, declared: map[string]*yamldoc.Field{}}
	}

	return s.functions[name.Value]
}

// markUsed returns the function with a name and records that a step calls it.
func (s *Set) markUsed(name ir.Text) *ir.Func {
	f := s.functionNamed(name)
	if !f.used {
		f.Name, f.used = name, true
	}

	return &f.Func
}

// declareFunctions reads the schemas and traits of all functions. Steps that use their outputs are lowered
// later.
func (s *Set) declareFunctions(d *document) {
	eachStep(d.root.Value("steps"), func(step *yamldoc.Node) {
		ref, _ := referenceOf(step)
		kind, isKind := step.Value("kind").Scalar()
		if isKind && kind != kindStep || !isFunction(ref.Value) {
			return
		}
		f := s.functionNamed(ref.Text)
		s.declareSchema(d, f, &f.Input, step.Field("input_schema"))
		s.declareSchema(d, f, &f.Output, step.Field("output_schema"))
		s.declareTraits(d, f, step)
		s.declareFields(d, f, step.Field("context"))
	})
}

// declareTraits sets what a step declares about calls of a function. A difference from another step is
// reported.
func (s *Set) declareTraits(d *document, f *function, step *yamldoc.Node) {
	for _, name := range traitFields {
		field := step.Field(name)
		if field == nil {
			continue
		}
		first := f.declared[name]
		if first == nil {
			f.declared[name] = field
			continue
		}
		if field.Value.Text != first.Value.Text {
			s.report(d, diag.New(diag.DuplicateName, field.Key.Span, "function %q is used twice, with a different %s",
				f.Name.Value, name).Note(first.Value.Span, "the first is here"))
		}
	}
	f.CallTraits = frontend.CallTraits(func(name string) *yamldoc.Node {
		if f.declared[name] == nil {
			return nil
		}

		return f.declared[name].Value
	})
}

// declareFields sets which fields of the context a function takes. A different list than before is
// reported.
func (s *Set) declareFields(d *document, f *function, field *yamldoc.Field) {
	if field == nil {
		return
	}
	names := frontend.Texts(field.Value)
	switch {
	case names == nil: // the schema has reported it
	case f.takes == nil:
		f.takes = names
	case !slices.Equal(ir.Values(f.takes), ir.Values(names)):
		s.report(d, diag.New(diag.DuplicateName, field.Key.Span, "function %q is used twice, with a different %s",
			f.Name.Value, field.Key.Text).Note(f.takes[0].Span, "the first is here"))
	}
}

// isFunction reports whether a reference can be a function.
func isFunction(name string) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	_, isBuiltin := builtin.StepByName(name)

	return functionName.MatchString(name) && !isBuiltin &&
		!slices.ContainsFunc([]string{agentsPrefix, importsPrefix, projectPrefix, builtinsRoot}, begins)
}

// declareSchema sets a schema of a function. A different schema than before is reported.
func (s *Set) declareSchema(d *document, f *function, have **ir.Schema, field *yamldoc.Field) {
	if field == nil {
		return
	}
	schema := s.lowerSchema(d, field.Value)
	switch {
	case schema == nil:
	case *have == nil:
		*have = schema
	case !isSameSchema(*have, schema):
		s.report(d, diag.New(diag.DuplicateName, field.Key.Span, "function %q is used twice, with a different %s",
			f.Name.Value, field.Key.Text).Note((*have).Span, "the first is here"))
	}
}

// eachStep calls visit for each step of a body, including nested steps.
func eachStep(body *yamldoc.Node, visit func(*yamldoc.Node)) {
	for _, step := range stepsOf(body) {
		if step.Kind != yamldoc.Map {
			continue
		}
		visit(step)
		for _, inside := range bodiesOf(step) {
			eachStep(inside, visit)
		}
	}
}

// bodiesOf returns the nodes of a step that may contain steps.
func bodiesOf(step *yamldoc.Node) []*yamldoc.Node {
	bodies := []*yamldoc.Node{
		step.Value("default_branch"), step.Value("fallback"),
		firstSteps(step.Value("loop")), step.Value("loop").Value("body"), step.Value("map").Value("body"),
	}
	for _, name := range []string{"branches", "states"} {
		bodies = append(bodies, ir.Map(step.Value(name).Members(), func(f *yamldoc.Field) *yamldoc.Node { return f.Value })...)
	}

	return bodies
}

// functionName matches a path of words, such as pkg.mod:func, a.b.c or my-skill.
var functionName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*([.:/][A-Za-z_][A-Za-z0-9_-]*)*$`)

// reportMisplaced reports a name that is not a function's, and returns true for it: the name of an
// agent or an import with a missing or misspelled prefix, or a single word, which can only be a
// builtin.
func (s *step) reportMisplaced(ref reference) bool {
	prefix, name, dotted := strings.Cut(ref.Value, ".")
	if !dotted {
		prefix, name = "", ref.Value
	}
	meant := s.guessReference(prefix, name)
	if meant == "" && (dotted || strings.ContainsAny(name, ":/")) {
		return false
	}
	d := diag.New(diag.BadValue, ref.Span, "%q is not something that a step can use", ref.Value)
	d.Suggest(ref.Value, builtin.StepNames())
	if meant != "" {
		d.WithHint("did you mean %q?", meant)
	}
	if meant != "" && !isQuoted(ref.Text) {
		d.WithFix(fmt.Sprintf("replace %q with %q", ref.Value, meant), ref.Span, meant)
	}
	s.report(d.Note(source.Span{},
		"it can be agents.NAME, imports.NAME, agent:NAME, a builtin, or a function pkg.mod:func"))

	return true
}

// guessReference returns the likely meaning of a name with a missing or misspelled prefix, or "".
func (s *step) guessReference(prefix, name string) string {
	_, isImport := s.document.imports[name]
	for _, known := range []struct {
		prefix string
		has    bool
	}{
		{agentsPrefix, s.agents[name] != nil},
		{importsPrefix, isImport},
		{projectPrefix, prefix == "" && s.set.project.FindAgent(name) != nil},
	} {
		_, near := diag.Nearest(prefix, []string{strings.TrimSuffix(known.prefix, ".")})
		if known.has && (prefix == "" || near) {
			return known.prefix + name
		}
	}

	return ""
}

// useFunction lowers a step that calls a function of the user.
func (s *step) useFunction(ref reference) {
	f := s.set.markUsed(ref.Text)
	do := &ir.UseFunc{Func: f}
	s.task.Do = do
	s.takeFields(do, ref.Text)
	if f.Output != nil {
		s.task.Type = ir.Type{Schema: f.Output, Owner: ir.OwnerFunc, OwnerName: f.Name.Value}
	}
	if p := ref.params; p != nil && p.Value.Kind == yamldoc.Map {
		s.later = append(s.later, func() {
			do.Params = &ir.Datum{Span: p.Value.Span, Kind: ir.DatumFields, Fields: s.lowerFields(p.Value, s.scopeAt(s.at))}
		})
	}
}

// takeFields lowers the fields of the context that a function takes. at is where the step names the
// function, which another step may have declared.
func (s *step) takeFields(do *ir.UseFunc, at ir.Text) {
	f := s.set.functionNamed(at)
	if f.takes == nil {
		return
	}
	names := f.takes
	if own := frontend.Texts(s.node.Value("context")); own != nil {
		names = own
	}
	schema := &ir.Schema{Kind: ir.SchemaObject, Span: names[0].Span}
	if s.document.context != nil {
		schema.Definitions = s.document.context.Definitions
	}
	fields := &ir.Datum{Span: names[0].Span, Kind: ir.DatumFields}
	for _, name := range names {
		property := s.document.context.Property(name.Value)
		switch {
		case schema.Property(name.Value) != nil:
			s.report(diag.New(diag.BadValue, name.Span, "field %q is listed twice", name.Value).WithHint("leave one of them out"))
			continue
		case property == nil:
			s.reportUndeclaredField(f, at, name)
			continue
		case containsSchema(property.Schema, s.document.context, map[*ir.Schema]bool{}):
			s.report(diag.New(diag.BadValue, name.Span, "context.%s contains a value like the whole context, which no function can take", name.Value).
				Note(property.Name.Span, "it is declared here").
				WithHint("declare what it contains below $defs of the context, and refer to that"))
			continue
		}
		schema.Properties = append(schema.Properties, property)
		path := &ir.ContextPath{Text: ir.Text{Value: "context." + name.Value, Span: name.Span}, Path: []ir.Text{name}}
		access := path.Access(ir.Type{Schema: property.Schema}, s.document.context)
		fields.Fields = append(fields.Fields, ir.DatumField{Name: name, Value: &ir.Datum{Span: name.Span, Kind: ir.DatumValue, Value: access}})
	}
	if f.Context == nil {
		f.Context = schema
	}
	s.reportOtherTypes(f, at, schema)
	do.Fields, do.Previous = fields, s.at.previousOutput()
	s.later = append(s.later, func() { *do.Previous = *s.at.previousOutput() })
}

// containsSchema reports whether a schema refers to another one, in any depth.
func containsSchema(s, other *ir.Schema, seen map[*ir.Schema]bool) bool {
	switch {
	case s == nil || seen[s]:
		return false
	case s.Target == other:
		return true
	}
	seen[s] = true
	inside := []*ir.Schema{s.Target, s.Items, s.Additional}
	for _, p := range slices.Concat(s.Properties, s.Variants) {
		inside = append(inside, p.Schema)
	}

	return slices.ContainsFunc(inside, func(part *ir.Schema) bool { return containsSchema(part, other, seen) })
}

// reportUndeclaredField reports a field that a function takes and the context does not declare.
func (s *step) reportUndeclaredField(f *function, at, name ir.Text) {
	d := diag.New(diag.UndefinedVariable, name.Span, "function %q takes context.%s, which the context of workflow %q does not declare",
		f.Name.Value, name.Value, s.workflowName())
	if name.Span.File != s.document.file || s.node.Value("context") == nil {
		d = diag.New(diag.UndefinedVariable, at.Span, "function %q takes context.%s, which the context of workflow %q does not declare",
			f.Name.Value, name.Value, s.workflowName()).Note(name.Span, "it is declared here")
	}
	if s.document.context == nil {
		d.WithHint("declare the context: context: {type: object, properties: {%s: …}}", name.Value)
	} else {
		d.Suggest(name.Value, s.document.context.PropertyNames())
	}
	s.report(d)
}

// reportOtherTypes reports the first field that a function takes with another type in another workflow.
func (s *step) reportOtherTypes(f *function, at ir.Text, schema *ir.Schema) {
	for _, p := range schema.Properties {
		first := f.Context.Property(p.Name.Value)
		if first != nil && (first.Required != p.Required || !isSameSchema(first.Schema, p.Schema)) {
			s.report(diag.New(diag.DuplicateName, at.Span, "function %q is used twice, with a different type of context.%s",
				f.Name.Value, p.Name.Value).Note(first.Name.Span, "the first is here"))
			return
		}
	}
}

// lowerFunctionName returns the function that a field names, or nil. It reports an invalid name and
// points to the field for expressions.
func (b *builder) lowerFunctionName(n *yamldoc.Node, instead string) *ir.Func {
	name := textOf(n)
	switch {
	case name.Value == "":
		return nil
	case !functionName.MatchString(name.Value):
		b.report(diag.New(diag.BadValue, name.Span, "%q is not the name of a function", name.Value).
			WithHint("a function is called like pkg.mod:func; an expression is written in %s", instead))
		return nil
	}

	if takes := b.set.functionNamed(name).takes; takes != nil {
		b.report(diag.New(diag.BadValue, name.Span, "function %q takes fields of the context, which only a step gives it", name.Value).
			Note(takes[0].Span, "they are declared here"))
	}

	return b.set.markUsed(name)
}
