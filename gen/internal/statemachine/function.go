package statemachine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// function is a method of Funcs. All steps of all workflows that use its name mean the same one: a schema that one of
// them gives counts for all, and two that differ are a mistake.
type function struct {
	ir.Func
	used bool
}

// function returns the function of a name, which may be new.
func (s *Set) function(name ir.Text) *function {
	if s.functions[name.Value] == nil {
		s.functions[name.Value] = &function{Func: ir.Func{Name: name}}
	}

	return s.functions[name.Value]
}

// use returns the function of a name that a step calls.
func (s *Set) use(name ir.Text) *ir.Func {
	f := s.function(name)
	if !f.used {
		f.Name, f.used = name, true
	}

	return &f.Func
}

// declareFunctions takes the schemas of all functions, before any step is lowered whose output one of them describes.
func (s *Set) declareFunctions(d *document) {
	eachStep(d.root.Value("steps"), func(step *yamldoc.Node) {
		ref, _ := referenceOf(step)
		kind, isKind := step.Value("kind").Scalar()
		if isKind && kind != kindStep || !isFunction(ref.Value) {
			return
		}
		f := s.function(ref.Text)
		s.declare(d, f, &f.Input, step.Get("input_schema"))
		s.declare(d, f, &f.Output, step.Get("output_schema"))
	})
}

// isFunction reports whether what a step uses can be a function.
func isFunction(name string) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	_, isBuiltin := builtin.StepByName(name)

	return functionName.MatchString(name) && !isBuiltin &&
		!slices.ContainsFunc([]string{agentsPrefix, importsPrefix, projectPrefix, builtinsRoot}, begins)
}

// declare gives a function a schema, unless it has one already.
func (s *Set) declare(d *document, f *function, have **ir.Schema, field *yamldoc.Field) {
	if field == nil {
		return
	}
	schema := s.schema(d, field.Value)
	switch {
	case schema == nil:
	case *have == nil:
		*have = schema
	case !alike(*have, schema):
		s.report(d, diag.New(diag.DuplicateName, field.Key.Span, "function %q is used twice, with a different %s",
			f.Name.Value, field.Key.Text).Note((*have).Span, "the first is here"))
	}
}

// eachStep calls visit for each step of a body and for those inside of them.
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

// bodiesOf returns what a step may have steps in.
func bodiesOf(step *yamldoc.Node) []*yamldoc.Node {
	bodies := []*yamldoc.Node{
		step.Value("default_branch"), step.Value("fallback"),
		step.Value("loop").Value("body"), step.Value("map").Value("body"),
	}
	for _, name := range []string{"branches", "states"} {
		bodies = append(bodies, ir.Map(step.Value(name).Members(), func(f *yamldoc.Field) *yamldoc.Node { return f.Value })...)
	}

	return bodies
}

// functionName is a path of words, such as pkg.mod:func, a.b.c or my-skill.
var functionName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*([.:/][A-Za-z_][A-Za-z0-9_-]*)*$`)

// misplaced reports a name that is not a function's: of an agent or an import without its prefix, or with one that is
// misspelled, or a word on its own, which can only be a builtin.
func (s *step) misplaced(ref reference) bool {
	prefix, name, dotted := strings.Cut(ref.Value, ".")
	if !dotted {
		prefix, name = "", ref.Value
	}
	meant := s.meant(prefix, name)
	if meant == "" && (dotted || strings.ContainsAny(name, ":/")) {
		return false
	}
	d := diag.New(diag.BadValue, ref.Span, "%q is not something that a step can use", ref.Value)
	if d.Suggest(ref.Value, builtin.StepNames()); meant != "" {
		d.WithHint("did you mean %q?", meant)
	}
	if meant != "" && !quoted(ref.Text) {
		d.WithFix(fmt.Sprintf("replace %q with %q", ref.Value, meant), ref.Span, meant)
	}
	s.report(d.Note(source.Span{},
		"it can be agents.NAME, imports.NAME, agent:NAME, a builtin, or a function pkg.mod:func"))

	return true
}

// meant returns what a name with a prefix that is missing or misspelled means; "" if that is not known.
func (s *step) meant(prefix, name string) string {
	_, isImport := s.document.imports[name]
	for _, known := range []struct {
		prefix string
		has    bool
	}{
		{agentsPrefix, s.agents[name] != nil},
		{importsPrefix, isImport},
		{projectPrefix, prefix == "" && s.set.project.Agent(name) != nil},
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
	f := s.set.use(ref.Text)
	do := &ir.UseFunc{Func: f, Given: s.data.Schema}
	s.task.Do = do
	if f.Output != nil {
		s.task.Type = ir.Type{Schema: f.Output, Owner: ir.OwnerFunc, Of: f.Name.Value}
	}
	if p := ref.params; p != nil && p.Value.Kind == yamldoc.Map {
		s.later = append(s.later, func() {
			do.Params = &ir.Datum{Span: p.Value.Span, Kind: ir.DatumFields, Fields: s.fields(p.Value, s.scope(s.at))}
		})
	}
}

// functionOf returns the function that a field names; nil without one, and if it is no name of one, which is reported. An
// expression is written in the field that is called instead.
func (b *builder) functionOf(n *yamldoc.Node, instead string) *ir.Func {
	name := textIn(n)
	switch {
	case name.Value == "":
		return nil
	case !functionName.MatchString(name.Value):
		b.report(diag.New(diag.BadValue, name.Span, "%q is not the name of a function", name.Value).
			WithHint("a function is called like pkg.mod:func; an expression is written in %s", instead))
		return nil
	}

	return b.set.use(name)
}
