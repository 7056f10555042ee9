package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// Expected says what a schema expects, such as "a whole number from 1 to 50, or null".
func (s *Schema) Expected() string {
	words := s.ExpectedValue()
	if s.Nullable {
		words += ", or null"
	}

	return words
}

// ExpectedValue is Expected without null.
func (s *Schema) ExpectedValue() string {
	if len(s.Enum) == 1 {
		return s.Enum[0]
	}
	if len(s.Enum) > 1 {
		return "one of " + strings.Join(s.Enum, ", ")
	}
	switch s.Kind {
	case SchemaObject:
		return "an object"
	case SchemaUnion:
		return "an object whose form " + strconv.Quote(s.Tag) + " decides"
	case SchemaRef:
		return s.Target.ExpectedValue()
	case SchemaArray:
		words := "a list" + countWords(s.MinItems, s.MaxItems, "item")
		if s.UniqueItems {
			words += ", all different"
		}
		return words
	case SchemaString:
		words := "text" + countWords(s.MinLength, s.MaxLength, "character")
		if s.Pattern != "" {
			words += " that matches " + s.Pattern
		}
		return words
	case SchemaInteger:
		return "a whole number" + wholeWords(s) + multipleWords(s)
	case SchemaNumber:
		return "a number" + numberWords(s) + multipleWords(s)
	case SchemaBoolean:
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

func wholeWords(s *Schema) string {
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

func numberWords(s *Schema) string {
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

func multipleWords(s *Schema) string {
	if s.MultipleOf == "" {
		return ""
	}

	return ", a multiple of " + s.MultipleOf
}
