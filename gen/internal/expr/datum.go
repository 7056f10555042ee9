package expr

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// DatumValue evaluates data of the source. ok is false if a name is not known.
func DatumValue(d *ir.Datum, known Known) (value workflow.Value, ok bool) {
	ok = true
	value = datumValue(d, constantsOnly(known, &ok), &ok)

	return value, ok
}

func datumValue(d *ir.Datum, known valueFunc, ok *bool) workflow.Value {
	switch d.Kind {
	case ir.DatumText:
		return workflow.Text(render(d.Text.Parts, known, ok))
	case ir.DatumValue:
		value := Compute(d.Value, known)
		*ok = *ok && value.Problem() == ""
		return value
	case ir.DatumList:
		return workflow.List(ir.Map(d.List, func(item *ir.Datum) workflow.Value { return datumValue(item, known, ok) })...)
	case ir.DatumFields:
		return workflow.Object(ir.Map(d.Fields, func(field ir.DatumField) workflow.Member {
			return workflow.Member{Name: field.Name.Value, Value: datumValue(field.Value, known, ok), Optional: field.Optional}
		})...)
	case ir.DatumAppend:
		return datumValue(d.List[0], known, ok).Append(datumValue(d.List[1], known, ok))
	case ir.DatumMerge:
		return datumValue(d.List[0], known, ok).Merge(datumValue(d.List[1], known, ok))
	}
	value, err := workflow.Parse([]byte(d.JSON))
	*ok = *ok && err == nil

	return value
}

// render renders a template. It cannot render the body of {{#each}}.
func render(parts []ir.Part, known valueFunc, ok *bool) string {
	var text strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Verbatim:
			text.WriteString(part.Text)
		case *ir.Placeholder:
			value := computePlaceholder(part, known)
			*ok = *ok && value.Problem() == ""
			text.WriteString(value.String())
		case *ir.IfPart:
			switch t := decide(part.Cond, known, noTruths); {
			case t.Holds():
				text.WriteString(render(part.Body, known, ok))
			case t == workflow.Unknown && builtin.CanBlockFail(part):
				*ok = false
			default:
				text.WriteString(render(part.Otherwise, known, ok))
			}
		case *ir.EachPart:
			*ok = false
		}
	}

	return text.String()
}

// computePlaceholder returns the first non-empty value of a placeholder, after its filters.
func computePlaceholder(p *ir.Placeholder, known valueFunc) workflow.Value {
	alternatives := ir.Map(p.Values, func(x ir.Expression) workflow.Value { return Compute(x, known) })
	value := alternatives[0].Or(alternatives[1:]...)
	for _, f := range p.Filters {
		value = builtin.ApplyFilter(value, f)
	}

	return value
}

// CanRender reports whether a template can result in a text, by its last filter: the results of an
// idempotent filter are the texts that it does not change.
func CanRender(d *ir.Datum, text string) bool {
	if d.Kind != ir.DatumText || len(d.Text.Parts) != 1 {
		return true
	}
	p, isPlaceholder := d.Text.Parts[0].(*ir.Placeholder)
	if !isPlaceholder || len(p.Filters) == 0 {
		return true
	}
	last := p.Filters[len(p.Filters)-1]
	filter, isKnown := builtin.FilterByName(last.Name)
	if !isKnown || !filter.IsSettled {
		return true
	}

	return builtin.ApplyFilter(workflow.Text(text), last).String() == text
}
