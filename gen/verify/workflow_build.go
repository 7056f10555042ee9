package verify

import (
	"github.com/agentc-dev/agentc/gen/ir"
)

// repeats reports whether parts of a template, or what they show under a condition, are repeated for the items of a list.
func repeats(parts []ir.Part) bool {
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.EachPart:
			return true
		case *ir.IfPart:
			if repeats(part.Body) {
				return true
			}
		}
	}

	return false
}

// build are the statements that write parts of a template to b.
func (s *scope) build(parts []ir.Part) string {
	text := ""
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.IfPart:
			condition := s.condition(part.Cond)
			text += "if " + condition.text + " { " + s.behind(condition, true).build(part.Body) + "}; "
		case *ir.EachPart:
			text += s.each(part)
		default:
			text += "b.WriteString(" + s.part(part) + "); "
		}
	}

	return text
}

// each is the loop over the items of a list.
func (s *scope) each(part *ir.EachPart) string {
	items := s.term(part.Items)
	list := items.value() + ".Items()"
	inside := *s
	inside.this, inside.asksThis = "this", new(bool)
	if inside.thisText = items.field.form == textsField && len(items.field.needs) == 0; inside.thisText {
		list = items.field.path
	}
	body, variables := inside.build(part.Body), ""
	if *inside.asksThis {
		variables = "_, this := "
	}

	return "for " + variables + "range " + list + " { " + body + "}; "
}
