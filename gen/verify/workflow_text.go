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
	case *ir.IfPart:
		return "workflow.When(" + s.condition(part.Cond).text + ", " + s.parts(part.Body) + ")"
	}
	each := part.(*ir.EachPart)
	inside := *s
	inside.this = "this"

	return "workflow.ForEach(" + s.term(each.Items).value() + ", func(this workflow.Value) string { return " +
		inside.parts(each.Body) + " })"
}

// rendered is a placeholder as a text.
func (s *scope) rendered(p *ir.Placeholder) string {
	last := len(p.Filters) - 1
	if len(p.Values) == 1 && last < 0 {
		return s.term(p.Values[0]).rendered(isLiteral(p.Values[0]))
	}
	if len(p.Values) == 1 && last == 0 {
		if text := s.filtered(s.term(p.Values[0]), p.Filters[0]); text != "" {
			return text
		}
	}
	if last >= 0 && p.Filters[last].Name == "tojson" {
		return s.placeholder(&ir.Placeholder{Values: p.Values, Filters: p.Filters[:last]}) + ".JSON()"
	}

	return s.placeholder(p) + ".String()"
}

// filtered is what a filter makes of a text, or a list of texts, that Go has as such; "" for anything else.
func (s *scope) filtered(t term, f ir.Filter) string {
	switch {
	case f.Name == "upper" && t.isText():
		return "strings.ToUpper(" + t.text + ")"
	case f.Name == "lower" && t.isText():
		return "strings.ToLower(" + t.text + ")"
	case f.Name == "join" && t.texts != "":
		return "strings.Join(" + t.texts + ", " + literalTerm(f.Arg).text + ")"
	case f.Name == "length" && t.texts != "":
		return "strconv.Itoa(len(" + t.texts + "))"
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
	var members []string
	for _, f := range fields {
		members = append(members, "workflow.Member{Name: "+strconv.Quote(f.Name.Value)+", Value: "+s.datum(f.Value)+"}")
	}

	return "workflow.Object(" + strings.Join(members, ", ") + ")"
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
