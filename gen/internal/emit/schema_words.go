package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// expectation says what a schema expects, such as "a whole number from 1 to 50".
func expectation(s *ir.Schema) string {
	words := expectedWords(s)
	if s.Nullable {
		words += ", or null"
	}

	return words
}

func expectedWords(s *ir.Schema) string {
	if len(s.Enum) == 1 {
		return s.Enum[0]
	}
	if len(s.Enum) > 1 {
		return "one of " + strings.Join(s.Enum, ", ")
	}
	switch s.Kind {
	case ir.SchemaObject:
		return "an object"
	case ir.SchemaUnion:
		return "an object whose form " + strconv.Quote(s.Tag) + " decides"
	case ir.SchemaRef:
		return expectedWords(s.Target)
	case ir.SchemaArray:
		return "a list" + countWords(s.MinItems, s.MaxItems, "item") + uniqueWords(s)
	case ir.SchemaString:
		words := "text" + countWords(s.MinLength, s.MaxLength, "character")
		if s.Pattern != "" {
			words += " that matches " + s.Pattern
		}
		return words
	case ir.SchemaInteger:
		return "a whole number" + wholeWords(s) + multipleWords(s)
	case ir.SchemaNumber:
		return "a number" + numberWords(s) + multipleWords(s)
	case ir.SchemaBoolean:
		return "true or false"
	}

	return "any value"
}

func countWords(least, most *int, unit string) string {
	units := func(n int) string {
		if n == 1 {
			return "1 " + unit
		}
		return strconv.Itoa(n) + " " + unit + "s"
	}
	if least != nil && *least == 0 {
		least = nil
	}
	switch {
	case least == nil && most == nil:
		return ""
	case least == nil:
		return " of at most " + units(*most)
	case most == nil:
		return " of at least " + units(*least)
	case *least == *most:
		return " of " + units(*least)
	}

	return fmt.Sprintf(" of %d to %s", *least, units(*most))
}

func uniqueWords(s *ir.Schema) string {
	if s.UniqueItems {
		return ", all different"
	}

	return ""
}

func wholeWords(s *ir.Schema) string {
	least, most := s.WholeRange()
	switch {
	case least != nil && most != nil && least.Cmp(most) == 0:
		return " equal to " + least.String()
	case least != nil && most != nil:
		return " from " + least.String() + " to " + most.String()
	case least != nil:
		return " of at least " + least.String()
	case most != nil:
		return " of at most " + most.String()
	}

	return ""
}

func numberWords(s *ir.Schema) string {
	if s.Minimum != "" && s.Maximum != "" && s.ExclusiveMinimum == "" && s.ExclusiveMaximum == "" {
		return " from " + s.Minimum + " to " + s.Maximum
	}

	var parts []string
	for _, bound := range []struct{ words, text string }{
		{"of at least ", s.Minimum}, {"above ", s.ExclusiveMinimum}, {"of at most ", s.Maximum}, {"below ", s.ExclusiveMaximum},
	} {
		if bound.text != "" {
			parts = append(parts, bound.words+bound.text)
		}
	}
	if len(parts) == 0 {
		return ""
	}

	return " " + strings.Join(parts, " and ")
}

func multipleWords(s *ir.Schema) string {
	if s.MultipleOf == "" {
		return ""
	}

	return ", a multiple of " + s.MultipleOf
}

// rootComment documents the type of a whole schema that is neither a struct nor an enum.
func rootComment(root string, s *ir.Schema) string {
	return sentence(root+" is "+expectation(s), s.Description)
}

// typeComment documents a struct or an enum: below the top by its position in the schema.
func typeComment(path, place string, s *ir.Schema) string {
	what := "is the object"
	switch {
	case place == "" && !names.IsSchemaStruct(s):
		return sentence(path+" is "+expectedWords(s), s.Description)
	case place == "" && len(s.Properties) > 0:
		return sentence(path+" is a JSON object", s.Description)
	case place == "":
		return sentence(path+" is the empty object", s.Description)
	case !names.IsSchemaStruct(s):
		what = "is the text"
	case len(s.Properties) == 0:
		what = "is the empty object"
	}
	if strings.HasPrefix(place, "[") {
		place = "value" + place
	}

	return sentence(path+" "+what+" at "+place, s.Description)
}

// fieldComment documents a field: its description, and what the Go type does not say.
func (e *schemaEmitter) fieldComment(p *ir.Property) string {
	var parts []string
	if text := strings.TrimSpace(p.Schema.Description); text != "" {
		if !strings.ContainsAny(text[len(text)-1:], ".!?") {
			text += "."
		}
		parts = append(parts, text)
	}
	if facts := e.fieldFacts(p); facts != "" {
		parts = append(parts, facts)
	}

	return strings.Join(parts, " ")
}

func (e *schemaEmitter) fieldFacts(p *ir.Property) string {
	s := p.Schema
	bare := &ir.Schema{Kind: s.Kind}
	facts := ""
	if !names.IsSchemaType(s.Followed()) && expectedWords(s) != expectedWords(bare) {
		facts = upperFirst(expectedWords(s))
	}
	if !p.Required && !e.isOptional(p) {
		if facts != "" {
			facts += "; "
		}
		facts += "by default " + s.Default
	}
	if facts == "" {
		return ""
	}

	return upperFirst(facts) + "."
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
