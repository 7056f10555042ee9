package expr

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// checkCompare reports values without an order, and texts that are compared with numbers.
func (f *reader) checkCompare(c *ir.Compare, xAt, yAt place) {
	isOrder := c.Op != ir.OpEqual && c.Op != ir.OpNotEqual
	if isOrder && (f.reportUnordered(c.X) || f.reportUnordered(c.Y)) {
		return
	}
	x, y := builtin.KindsOfExpression(c.X), builtin.KindsOfExpression(c.Y)
	hasText := x.IsOnly(builtin.Text) || y.IsOnly(builtin.Text)
	hasNumber := x.IsOnly(builtin.Number) || y.IsOnly(builtin.Number)
	if !hasText || !hasNumber {
		return
	}
	if value := ir.First([]ir.Expression{c.X, c.Y}, isValue); value != nil {
		f.reportValueAsNumber(value)
		return
	}
	f.reportNumericText(c, xAt, yAt)
}

// reportUnordered reports a value that is neither a number nor a text, and returns false for these.
func (f *reader) reportUnordered(x ir.Expression) bool {
	is := builtin.KindsOfExpression(x)
	if is&(builtin.Number|builtin.Text) != 0 {
		return false
	}
	d := diag.New(diag.GuardType, x.At(), "%s cannot be ordered", is.There()).WithHint("only numbers and texts can be ordered")
	if access, whole := x.(*ir.Access); whole && len(access.Path) == 0 {
		switch access.Root {
		case ir.RootSteps:
			d.WithHint("steps contains outputs by name: write steps.NAME")
			if f.scope.Machine {
				d.WithHint("steps contains outputs by state: write steps.STATE, or visits.STATE for the number of visits")
			}
		case ir.RootVisits:
			d.WithHint("visits counts each state: write visits.STATE")
		}
	}
	f.addDiagnostic(d)

	return true
}

// reportNumericText warns of a comparison of a text with a number, which converts the text.
func (f *reader) reportNumericText(c *ir.Compare, xAt, yAt place) {
	text, other, at := c.X, c.Y, xAt
	if builtin.KindsOfExpression(text).IsOnly(builtin.Number) {
		text, other, at = other, text, yAt
	}
	literal, isLiteral := text.(*ir.Literal)
	var number workflow.Value
	if isLiteral {
		var isNumeric bool
		number, isNumeric = workflow.Text(literal.Value.(string)).ReadNumber()
		if !isNumeric {
			return // never true, which is reported elsewhere
		}
	}
	if _, both := other.(*ir.Literal); isLiteral && both {
		return // constant, which is reported elsewhere
	}

	d := diag.New(diag.NumericText, c.Span, "%s is a text, but is compared with a number: it is converted to a number",
		f.sourceText(at))
	if isLiteral {
		d.WithHint("write %s without quotes", literal.Value)
		if bare := number.String(); bare == literal.Value && f.positions().IsExact() {
			d.WithFix("write "+bare, literal.Span, bare)
		}
	} else if n, ok := other.(*ir.Literal); ok {
		d.WithHint("to compare texts, write %s", strconv.Quote(fmt.Sprint(n.Value)))
	}
	f.addDiagnostic(d)
}

// checkContains reports operands of in that can contain nothing or can never be contained.
func (f *reader) checkContains(c *ir.Contains) {
	x, y := builtin.KindsOfExpression(c.X), builtin.KindsOfExpression(c.Y)
	const holders = builtin.Text | builtin.List | builtin.Object
	switch {
	case y != builtin.None && y&holders == 0:
		f.addDiagnostic(diag.New(diag.GuardType, c.Y.At(), "%s cannot contain anything", y.There()).
			WithHint("the right side of \"in\" has to be a list, a text or an object"))
	case y.IsOnly(builtin.Text|builtin.Object) && x.There() != 0 && x&builtin.Text == 0:
		f.addDiagnostic(diag.New(diag.GuardType, c.X.At(), "%s is never in %s", x.There(), y.There()).
			WithHint("a text or an object can contain only texts"))
	case f.reportAmongNumbers(c):
	default:
		f.checkStepName(c)
	}
}

// checkStepName reports `"name" in steps` with a name that no step has.
func (f *reader) checkStepName(c *ir.Contains) {
	steps, ok := c.Y.(*ir.Access)
	literal, isLiteral := c.X.(*ir.Literal)
	if !ok || !isLiteral || steps.Root != ir.RootSteps {
		return
	}
	if name, isText := literal.Value.(string); isText && !f.hasStep(name) {
		f.addDiagnostic(diag.New(diag.UndefinedStepOutput, literal.Span, f.vocabulary().noStep, name).
			Guess(name, f.scope.Steps.StepNames()))
	}
}

func (r *reader) addDiagnostic(d *diag.Diagnostic) { r.found = append(r.found, d) }

// isValue reports whether x is the unchanged text that came with a key.
func isValue(x ir.Expression) bool {
	access, ok := x.(*ir.Access)

	return ok && access.Root == ir.RootValue
}

// reportValueAsNumber reports that the text which came with a key is compared with a number. The
// number in the text is `data`.
func (f *reader) reportValueAsNumber(value ir.Expression) {
	d := diag.New(diag.GuardType, value.At(), "value is a text, and is compared with a number").
		WithHint("data is what the text says as JSON")
	f.addDiagnostic(d)
	i := slices.IndexFunc(f.scope.Names, func(n Name) bool { return n.Value != nil && n.Value.Root == ir.RootData })
	if i < 0 {
		return
	}
	name, data := f.scope.Names[i].Name, f.scope.Names[i].Value
	if builtin.KindsOfExpression(data)&builtin.Number != 0 {
		d.WithHint("write %s: what the text says as JSON", name)
		if f.positions().IsExact() {
			d.WithFix("write "+name, value.At(), name)
		}
		return
	}
	if schema := data.Type.Schema; schema.Kind == ir.SchemaObject && len(schema.Properties) > 0 {
		d.Note(schema.Span, "its fields are %s", diag.JoinNames(schema.PropertyNames()))
	}
}

// reportAmongNumbers reports that the text which came with a key is looked up in a list of numbers,
// and returns false for another expression.
func (f *reader) reportAmongNumbers(c *ir.Contains) bool {
	list, ok := c.Y.(*ir.Tuple)
	if !ok || !isValue(c.X) || !slices.ContainsFunc(list.Items, func(x ir.Expression) bool { return builtin.KindsOfExpression(x).IsOnly(builtin.Number) }) {
		return false
	}
	f.reportValueAsNumber(c.X)

	return true
}
