package expr

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Use is the use of a formula's value.
type Use uint8

const (
	// Condition: the truth of the value.
	Condition Use = iota
	// Key: the value as the key of a branch: a text, or an integer or boolean as a text.
	Key
)

// ParseFormula parses an expression, such as the `when` of a row. The formula is nil after an
// error.
func ParseFormula(text ir.Text, scope *Scope, use Use) (*ir.Formula, []*diag.Diagnostic) {
	f := newReader(text, scope)
	root := f.parseFormula(use)
	if f.hasError() {
		return nil, f.found
	}
	if use == Key {
		f.checkKey(root)
	} else {
		f.reportConstant(root, root)
	}
	if f.hasError() {
		return nil, f.found
	}

	return &ir.Formula{Text: text, Root: root}, f.found
}

// ParseTemplate parses a text with placeholders. The template is nil after an error.
func ParseTemplate(text ir.Text, scope *Scope) (*ir.Template, []*diag.Diagnostic) {
	t := &template{reader: newReader(text, scope), ended: map[string]int{}}
	t.unfit = diag.TemplateSyntax
	parts := t.parse()
	if t.hasError() {
		return nil, t.found
	}

	return &ir.Template{Text: text, Parts: parts}, t.found
}

// ParseDatum parses a text in a list or a mapping. A single placeholder, with white space around
// it, keeps the type of its value: an [ir.Access], an [ir.Literal], or an [ir.Placeholder] with
// alternatives or filters. Any other text is a template. The datum is nil after an error.
func ParseDatum(text ir.Text, scope *Scope) (*ir.Datum, []*diag.Diagnostic) {
	t, found := ParseTemplate(text, scope)
	if t == nil {
		return nil, found
	}
	if value := onlyValue(t.Parts); value != nil {
		return &ir.Datum{Span: text.Span, Kind: ir.DatumValue, Value: value}, found
	}

	return &ir.Datum{Span: text.Span, Kind: ir.DatumText, Text: t}, found
}

// onlyValue returns the value of a template that is one placeholder, or nil.
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
