package statemachine

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
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
		for _, f := range step.Value(name).Members() {
			bodies = append(bodies, f.Value)
		}
	}

	return bodies
}
