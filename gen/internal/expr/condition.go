package expr

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// constant warns of the smallest parts of a condition that are always true or never. It reports whether there are any.
func (r *reader) constant(x, whole ir.Expression) (found bool) {
	switch x := x.(type) {
	case *ir.Not: // that of what holds or is unknown never holds
		found = r.constant(x.X, whole)
	case *ir.Logic:
		for _, operand := range x.X {
			found = r.constant(operand, whole) || found
		}
	}
	if found {
		return true
	}
	canHold, canFail := Judge(x, nil)
	if canHold == canFail {
		return false
	}

	what, how := "this part of the condition", "never"
	if x == whole {
		what = "this condition"
	}
	if canHold {
		how = "always"
	}
	d := diag.New(diag.ConstantGuard, x.At(), "%s is %s true", what, how)
	r.explain(d, x)
	r.add(d)

	return true
}

// explain says why a condition is always the same, as far as it is about one name.
func (r *reader) explain(d *diag.Diagnostic, x ir.Expression) {
	if c, ok := x.(*ir.Compare); ok {
		if a, b := builtin.KindsOfExpression(c.X).There(), builtin.KindsOfExpression(c.Y).There(); !mayEqual(builtin.KindsOfExpression(c.X), builtin.KindsOfExpression(c.Y)) {
			d.WithHint("%s never equals %s", a, b)
			return
		}
	}
	subject, constants := About(x)
	access, ok := subject.(*ir.Access)
	if !ok || access.Type.Schema == nil {
		return
	}
	schema := access.Type.Schema
	if schema.Enum == nil {
		if schema.Span.IsValid() {
			d.Note(schema.Span, "what it can be is declared here")
		}
		return
	}
	values := texts(enumerated(schema))
	d.Note(schema.Span, "its values are %s", diag.Listed(schema.Enum))
	for _, text := range texts(constants) {
		if !slices.Contains(values, text) {
			d.Guess(text, values)
		}
	}
}

// texts are those of the values that are texts.
func texts(values []workflow.Value) []string {
	var all []string
	for _, value := range values {
		if text, ok := value.AsText(); ok {
			all = append(all, text)
		}
	}

	return all
}

// checkKey reports what cannot be the key of a branch, or is always the same one.
func (r *reader) checkKey(x ir.Expression) {
	switch x := x.(type) {
	case *ir.Literal:
		r.add(diag.New(diag.ConstantGuard, x.Span, "the key is always the same"))
		return
	case *ir.Access:
	default:
		if builtin.KindsOfExpression(x).There() == builtin.Bool {
			r.constant(x, x)
		}
	}
	if is := builtin.KindsOfExpression(x).There(); is != builtin.None && is&(builtin.Bool|builtin.Number|builtin.Text) == 0 {
		r.add(diag.New(diag.GuardType, x.At(),
			"a key of branches has to be a text, an integer or a boolean, but this is %s", is))
	}
}
