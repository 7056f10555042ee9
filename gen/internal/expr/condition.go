package expr

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// reportConstant warns of the smallest parts of a condition that are always or never true. It
// returns whether there are any.
func (r *reader) reportConstant(x, whole ir.Expression) (found bool) {
	switch x := x.(type) {
	case *ir.Not: // not of a part that holds or is unknown never holds
		found = r.reportConstant(x.X, whole)
	case *ir.Logic:
		for _, operand := range x.X {
			found = r.reportConstant(operand, whole) || found
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
	r.explainConstant(d, x)
	r.addDiagnostic(d)

	return true
}

// explainConstant explains why a condition with a single name is constant.
func (r *reader) explainConstant(d *diag.Diagnostic, x ir.Expression) {
	if c, ok := x.(*ir.Compare); ok {
		a, b := builtin.KindsOfExpression(c.X), builtin.KindsOfExpression(c.Y)
		if !mayEqual(a, b) {
			d.WithHint("%s never equals %s", a.There(), b.There())
			return
		}
	}
	subject, constants := SubjectOf(x)
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
	values := textValues(enumValues(schema))
	d.Note(schema.Span, "its values are %s", diag.JoinNames(schema.Enum))
	for _, text := range textValues(constants) {
		if !slices.Contains(values, text) {
			d.Guess(text, values)
		}
	}
}

// textValues returns the values that are texts.
func textValues(values []workflow.Value) []string {
	var all []string
	for _, value := range values {
		if text, ok := value.AsText(); ok {
			all = append(all, text)
		}
	}

	return all
}

// checkKey reports an expression that cannot be the key of a branch, or is constant.
func (r *reader) checkKey(x ir.Expression) {
	switch x := x.(type) {
	case *ir.Literal:
		r.addDiagnostic(diag.New(diag.ConstantGuard, x.Span, "the key is always the same"))
		return
	case *ir.Access:
	default:
		if builtin.KindsOfExpression(x).There() == builtin.Bool {
			r.reportConstant(x, x)
		}
	}
	if is := builtin.KindsOfExpression(x).There(); is != builtin.None && is&(builtin.Bool|builtin.Number|builtin.Text) == 0 {
		r.addDiagnostic(diag.New(diag.GuardType, x.At(),
			"a key of branches has to be a text, an integer or a boolean, but this is %s", is))
	}
}
