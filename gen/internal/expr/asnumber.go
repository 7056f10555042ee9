package expr

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

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
	if kindsOf(data)&builtin.Number != 0 {
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
	if !ok || !isValue(c.X) || !slices.ContainsFunc(list.Items, func(x ir.Expression) bool { return kindsOf(x).IsOnly(builtin.Number) }) {
		return false
	}
	f.valueAsNumber(c.X)

	return true
}
