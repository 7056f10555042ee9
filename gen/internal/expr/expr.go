package expr

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Use says what becomes of a formula's value.
type Use uint8

const (
	// Condition: it is asked whether the value is true.
	Condition Use = iota
	// Key: the value is the key of a branch: a text, or a whole number, true or false as a text.
	Key
)

// Formula reads an expression, such as the `when` of a row. The formula is nil if there is an error among the diagnostics.
func Formula(text ir.Text, scope *Scope, use Use) (*ir.Formula, []*diag.Diagnostic) {
	f := newReader(text, scope)
	root := f.formula()
	if f.failed() {
		return nil, f.found
	}
	if use == Key {
		f.checkKey(root)
	} else {
		f.constant(root, root)
	}
	if f.failed() {
		return nil, f.found
	}

	return &ir.Formula{Text: text, Root: root}, f.found
}

// Template reads a text with placeholders. The template is nil if there is an error among the diagnostics.
func Template(text ir.Text, scope *Scope) (*ir.Template, []*diag.Diagnostic) {
	t := &template{reader: newReader(text, scope), ended: map[string]int{}}
	t.unfit = diag.TemplateSyntax
	parts := t.read()
	if t.failed() {
		return nil, t.found
	}

	return &ir.Template{Text: text, Parts: parts}, t.found
}

// Datum reads a text inside of a list or a mapping: a template, or, where it is one placeholder with nothing but
// white space around it, the placeholder's value with its type: an [ir.Access] or an [ir.Literal], or an
// [ir.Placeholder] where there are alternatives or filters. The datum is nil if there is an error among the diagnostics.
func Datum(text ir.Text, scope *Scope) (*ir.Datum, []*diag.Diagnostic) {
	t, found := Template(text, scope)
	if t == nil {
		return nil, found
	}
	if value := onlyValue(t.Parts); value != nil {
		return &ir.Datum{Span: text.Span, Kind: ir.DatumValue, Value: value}, found
	}

	return &ir.Datum{Span: text.Span, Kind: ir.DatumText, Text: t}, found
}

// onlyValue returns the value of a template that is one placeholder; nil for any other.
func onlyValue(parts []ir.Part) ir.Expression {
	var only *ir.Placeholder
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Verbatim:
			if strings.TrimSpace(part.Text) != "" {
				return nil
			}
		case *ir.Placeholder:
			if only != nil {
				return nil
			}
			only = part
		default:
			return nil
		}
	}
	switch {
	case only == nil:
		return nil
	case len(only.Values) == 1 && len(only.Filters) == 0:
		return only.Values[0]
	}

	return only
}
