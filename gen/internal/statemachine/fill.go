package statemachine

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// filler puts the values of variables in the places of their names.
type filler struct {
	builder   *builder
	variables []*variable
	used      map[*variable]bool
}

// parts fills in the variables of a text.
func (f *filler) parts(parts []ir.Part) []ir.Part {
	var filled []ir.Part
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Placeholder:
			filled = append(filled, f.placeholder(part)...)
			continue
		case *ir.IfPart:
			filled = append(filled, f.condition(part)...)
			continue
		case *ir.EachPart:
			part.Items = f.value(part.Items)
			part.Body = f.parts(part.Body)
		}
		filled = append(filled, part)
	}

	return filled
}

// condition fills in the variables of a block that is there under a condition. What a variable decides is decided
// now.
func (f *filler) condition(p *ir.IfPart) []ir.Part {
	p.Cond = f.value(p.Cond)
	p.Body = f.parts(p.Body)
	canHold, canFail := expr.Judge(p.Cond, nil)
	switch {
	case !canFail:
		return p.Body
	case !canHold:
		return nil
	}

	return []ir.Part{p}
}

// placeholder fills in the variables of a placeholder: one that is nothing but a variable becomes the variable's text.
func (f *filler) placeholder(p *ir.Placeholder) []ir.Part {
	if len(p.Values) == 1 && len(p.Filters) == 0 {
		if v := f.variable(p.Values[0]); v != nil {
			f.used[v] = true
			if text, ok := v.rendered(); ok {
				return []ir.Part{&ir.Verbatim{Text: text}}
			}
			if v.text != nil {
				return v.text.Parts
			}
		}
	}
	for i, value := range p.Values {
		p.Values[i] = f.value(value)
	}

	return []ir.Part{p}
}

// value returns the expression that a variable means; any other expression as it is.
func (f *filler) value(x ir.Expression) ir.Expression {
	v := f.variable(x)
	if v == nil {
		return x
	}
	f.used[v] = true
	if v.literal != nil {
		return v.literal
	}
	if v.text != nil {
		if only, ok := onlyValue(v.text); ok {
			return only
		}
		f.builder.report(textNeeded(v, x.At()))
	}

	return x
}

// onlyValue returns what a text names that is one placeholder without alternatives and filters.
func onlyValue(t *ir.Template) (value ir.Expression, ok bool) {
	if len(t.Parts) != 1 {
		return nil, false
	}
	p, ok := t.Parts[0].(*ir.Placeholder)
	if !ok || len(p.Values) != 1 || len(p.Filters) > 0 {
		return nil, false
	}

	return p.Values[0], true
}

// textNeeded reports a variable that is put together of several texts where a single value is needed.
func textNeeded(v *variable, at source.Span) *diag.Diagnostic {
	return diag.New(diag.TemplateSyntax, at,
		"variable %q is more than one value, so it is used only on its own, without filters", v.key.Value).Note(v.value.Span, "its value is written here")
}

// variable returns the variable that an expression names; nil if it names none.
func (f *filler) variable(x ir.Expression) *variable {
	access, ok := x.(*ir.Access)
	if !ok {
		return nil
	}

	return ir.First(f.variables, func(v *variable) bool { return access.Output == v.mark })
}

// unused warns of variables that the file does not name.
func (f *filler) unused() {
	for _, v := range f.variables {
		if !f.used[v] {
			f.builder.report(diag.New(diag.UnusedField, v.key.Span, "the prompt's file does not name variable %q", v.key.Value))
		}
	}
}
