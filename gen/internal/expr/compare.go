package expr

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// checkCompare reports values that have no order, and texts that are compared with numbers.
func (f *reader) checkCompare(c *ir.Compare, xAt, yAt place) {
	if c.Op != ir.OpEqual && c.Op != ir.OpNotEqual && (f.unordered(c.X) || f.unordered(c.Y)) {
		return
	}
	x, y := builtin.KindsOfExpression(c.X), builtin.KindsOfExpression(c.Y)
	if !(x.IsOnly(builtin.Text) && y.IsOnly(builtin.Number) || x.IsOnly(builtin.Number) && y.IsOnly(builtin.Text)) {
		return
	}
	if value := ir.First([]ir.Expression{c.X, c.Y}, isValue); value != nil {
		f.valueAsNumber(value)
		return
	}
	f.numericText(c, xAt, yAt)
}

// unordered reports a value that is neither a number nor a text.
func (f *reader) unordered(x ir.Expression) bool {
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
	f.add(d)

	return true
}

// numericText warns of a text and a number: the text counts as the number it reads as, else they differ.
func (f *reader) numericText(c *ir.Compare, xAt, yAt place) {
	text, other, at := c.X, c.Y, xAt
	if builtin.KindsOfExpression(text).IsOnly(builtin.Number) {
		text, other, at = other, text, yAt
	}
	literal, isLiteral := text.(*ir.Literal)
	var number workflow.Value
	if isLiteral {
		var reads bool
		if number, reads = workflow.Text(literal.Value.(string)).ReadNumber(); !reads {
			return // it is never true, and that is said
		}
	}
	if _, both := other.(*ir.Literal); isLiteral && both {
		return // it is always the same, and that is said
	}

	d := diag.New(diag.NumericText, c.Span, "%s is a text, but is compared with a number: it is converted to a number",
		f.written(at))
	if isLiteral {
		d.WithHint("write %s without quotes", literal.Value)
		if bare := number.String(); bare == literal.Value && f.places().Known() {
			d.WithFix("write "+bare, literal.Span, bare)
		}
	} else if n, ok := other.(*ir.Literal); ok {
		d.WithHint("to compare texts, write %s", strconv.Quote(fmt.Sprint(n.Value)))
	}
	f.add(d)
}

// checkContains reports what can hold nothing, and what cannot be held.
func (f *reader) checkContains(c *ir.Contains) {
	x, y := builtin.KindsOfExpression(c.X), builtin.KindsOfExpression(c.Y)
	const holders = builtin.Text | builtin.List | builtin.Object
	switch {
	case y != builtin.None && y&holders == 0:
		f.add(diag.New(diag.GuardType, c.Y.At(), "%s cannot contain anything", y.There()).
			WithHint("the right side of \"in\" has to be a list, a text or an object"))
	case y.IsOnly(builtin.Text|builtin.Object) && x.There() != 0 && x&builtin.Text == 0:
		f.add(diag.New(diag.GuardType, c.X.At(), "%s is never in %s", x.There(), y.There()).
			WithHint("a text or an object can contain only texts"))
	case f.checkAmongNumbers(c):
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
	if name, isText := literal.Value.(string); isText && !f.isStep(name) {
		f.add(diag.New(diag.UndefinedStepOutput, literal.Span, f.words().noStep, name).
			Guess(name, f.scope.Steps.StepNames()))
	}
}

func (r *reader) add(d *diag.Diagnostic) { r.found = append(r.found, d) }

// isValue reports whether x is the text that came with a key, as it is.
func isValue(x ir.Expression) bool {
	access, ok := x.(*ir.Access)

	return ok && access.Root == ir.RootValue
}

// valueAsNumber reports that the text which came with a key is compared with a number: what is in the text is `data`.
func (f *reader) valueAsNumber(value ir.Expression) {
	d := diag.New(diag.GuardType, value.At(), "value is a text, and is compared with a number").
		WithHint("data is what the text says as JSON")
	f.add(d)
	i := slices.IndexFunc(f.scope.Names, func(n Name) bool { return n.Value != nil && n.Value.Root == ir.RootData })
	if i < 0 {
		return
	}
	name, data := f.scope.Names[i].Name, f.scope.Names[i].Value
	if builtin.KindsOfExpression(data)&builtin.Number != 0 {
		if d.WithHint("write %s: what the text says as JSON", name); f.places().Known() {
			d.WithFix("write "+name, value.At(), name)
		}
		return
	}
	if schema := data.Type.Schema; schema.Kind == ir.SchemaObject && len(schema.Properties) > 0 {
		d.Note(schema.Span, "its fields are %s", diag.Listed(schema.PropertyNames()))
	}
}

// checkAmongNumbers reports that the text which came with a key is looked for among numbers, and reports whether it is.
func (f *reader) checkAmongNumbers(c *ir.Contains) bool {
	list, ok := c.Y.(*ir.Tuple)
	if !ok || !isValue(c.X) || !slices.ContainsFunc(list.Items, func(x ir.Expression) bool { return builtin.KindsOfExpression(x).IsOnly(builtin.Number) }) {
		return false
	}
	f.valueAsNumber(c.X)

	return true
}
