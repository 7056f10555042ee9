package verify

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// template is what a template renders.
func (s *scope) template(t *ir.Template) string { return s.parts(t.Parts) }

func (s *scope) parts(parts []ir.Part) string {
	if len(parts) == 0 {
		return `""`
	}
	if repeats(parts) {
		return "workflow.Built(func(b *strings.Builder) { " + s.build(parts) + "})"
	}
	list := make([]string, len(parts))
	for i, part := range parts {
		list[i] = s.part(part)
	}

	return strings.Join(list, " + ")
}

func (s *scope) part(part ir.Part) string {
	switch part := part.(type) {
	case *ir.Verbatim:
		return strconv.Quote(part.Text)
	case *ir.Placeholder:
		return s.rendered(part)
	}
	inner := part.(*ir.IfPart)
	condition := s.condition(inner.Cond)

	return when(condition, s.behind(condition, true).parts(inner.Body))
}

// when is a text that is there only where a condition holds.
func when(condition term, text string) string {
	return "workflow.When(" + condition.text + ", func() string { return " + text + " })"
}

// rendered is a placeholder as a text.
func (s *scope) rendered(p *ir.Placeholder) string {
	if text := s.renderedText(p); text != "" {
		return text
	}
	if len(p.Values) == 1 {
		if text := renderedField(s.term(p.Values[0]), isLiteral(p.Values[0]), p.Filters); text != "" {
			return text
		}
	}
	if last := len(p.Filters) - 1; last >= 0 && p.Filters[last].Name == "tojson" {
		return s.placeholder(&ir.Placeholder{Values: p.Values, Filters: p.Filters[:last]}) + ".JSON()"
	}

	return s.placeholder(p) + ".String()"
}

// renderedText is a placeholder of which Go knows that its values are texts, or none; "" where it does not, or where a filter
// needs more.
func (s *scope) renderedText(p *ir.Placeholder) string {
	var values []string
	for _, x := range p.Values {
		t := s.term(x)
		if !t.isText() {
			return ""
		}
		values = append(values, t.textOrEmpty())
	}
	for _, f := range p.Filters {
		switch {
		case f.Name == "upper":
			values = []string{"strings.ToUpper(" + firstOf(values) + ")"}
		case f.Name == "lower":
			values = []string{"strings.ToLower(" + firstOf(values) + ")"}
		case f.Name == "default" && literalTerm(f.Arg).isText():
			values = append(values, literalTerm(f.Arg).text)
		default:
			return ""
		}
	}

	return firstOf(values)
}

// textOrEmpty is a text, an empty one for none.
func (t term) textOrEmpty() string {
	switch {
	case len(t.needs) == 0:
		return t.text
	case t.field.form == pointerField && len(t.field.needs) == 0:
		return t.whole + ".String()"
	}

	return when(there(t.needs), t.text)
}

// firstOf is the first of texts that is not empty.
func firstOf(values []string) string {
	if len(values) == 1 {
		return values[0]
	}

	return "cmp.Or(" + strings.Join(values, ", ") + ")"
}

// renderedField is a number, or what a filter makes of a list of texts, that Go has as such; "" for anything else.
func renderedField(t term, isLiteral bool, filters []ir.Filter) string {
	isTexts := t.field.form == textsField && len(t.field.needs) == 0 && len(filters) == 1
	switch {
	case len(filters) == 0 && t.kind == ir.SchemaInteger && len(t.needs) == 0 && !isLiteral:
		return "strconv.FormatInt(" + t.text + ", 10)"
	case isTexts && filters[0].Name == "join":
		return "strings.Join(" + t.field.path + ", " + literalTerm(filters[0].Arg).text + ")"
	case isTexts && filters[0].Name == "length":
		return "strconv.Itoa(len(" + t.field.path + "))"
	}

	return ""
}

// filters are the functions of package workflow that filters are.
var filters = map[string]string{
	"upper": "Upper", "lower": "Lower", "length": "Length", "tojson": "JSONText", "join": "Join", "default": "Default",
}

// placeholder is a placeholder as a value.
func (s *scope) placeholder(p *ir.Placeholder) string {
	value := s.valueList(p.Values)
	if len(p.Values) > 1 {
		value = "workflow.First(" + value + ")"
	}
	for _, filter := range p.Filters {
		arg := ""
		if filter.Arg != nil {
			arg = ", " + literalTerm(filter.Arg).value()
			if filter.Name == "join" {
				arg = ", " + literalTerm(filter.Arg).text
			}
		}
		value = "workflow." + filters[filter.Name] + "(" + value + arg + ")"
	}

	return value
}

// datum is data of the source as a value.
func (s *scope) datum(d *ir.Datum) string {
	switch d.Kind {
	case ir.DatumText:
		return "workflow.Text(" + s.template(d.Text) + ")"
	case ir.DatumValue:
		return s.term(d.Value).value()
	case ir.DatumList:
		var items []string
		for _, item := range d.List {
			items = append(items, s.datum(item))
		}
		return "workflow.List(" + strings.Join(items, ", ") + ")"
	case ir.DatumFields:
		return s.object(d.Fields)
	}

	return scalar(d.JSON)
}

// object are the fields of a mapping as a value.
func (s *scope) object(fields []ir.DatumField) string {
	return "workflow.Object(" + strings.Join(s.members(fields), ", ") + ")"
}

// members are the fields of a mapping.
func (s *scope) members(fields []ir.DatumField) []string {
	var members []string
	for _, f := range fields {
		members = append(members, member(f.Name.Value, s.datum(f.Value)))
	}

	return members
}

func member(name, value string) string {
	return "workflow.Member{Name: " + strconv.Quote(name) + ", Value: " + value + "}"
}

// scalar is a JSON scalar as a value.
func scalar(text string) string {
	switch text[0] {
	case 'n':
		return "workflow.None"
	case 't', 'f':
		return "workflow.Bool(" + text + ")"
	case '"':
		var said string
		if err := json.Unmarshal([]byte(text), &said); err == nil {
			return "workflow.Text(" + strconv.Quote(said) + ")"
		}
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return "workflow.Int(" + strconv.FormatInt(n, 10) + ")"
	}

	return "workflow.Number(" + text + ")"
}
