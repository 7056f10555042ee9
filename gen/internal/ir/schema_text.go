package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// ExpectedText describes the values of a schema, such as "a whole number from 1 to 50, or null".
func (s *Schema) ExpectedText() string {
	words := s.ExpectedNonNull()
	if s.Nullable {
		words += ", or null"
	}

	return words
}

// ExpectedNonNull is [Schema.ExpectedText] without null.
func (s *Schema) ExpectedNonNull() string {
	if len(s.Enum) == 1 {
		return s.Enum[0]
	}
	if len(s.Enum) > 1 {
		return "one of " + strings.Join(s.Enum, ", ")
	}
	switch s.Kind {
	case SchemaObject:
		return "an object" + countText(s.MinProperties, s.MaxProperties, "member")
	case SchemaUnion:
		return "an object whose form " + strconv.Quote(s.Tag) + " decides"
	case SchemaRef:
		return s.Target.ExpectedNonNull()
	case SchemaArray:
		words := "a list" + countText(s.MinItems, s.MaxItems, "item")
		if s.UniqueItems {
			words += ", all different"
		}
		return words
	case SchemaString:
		words := "text" + countText(s.MinLength, s.MaxLength, "character")
		if s.Pattern != "" {
			words += " that matches " + s.Pattern
		}
		return words
	case SchemaInteger:
		return "a whole number" + integerRangeText(s) + multipleText(s)
	case SchemaNumber:
		return "a number" + numberRangeText(s) + multipleText(s)
	case SchemaBoolean:
		return "true or false"
	}

	return "any value"
}

func countText(least, most *int, unit string) string {
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

func integerRangeText(s *Schema) string {
	least, most := s.IntegerRange()
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

func numberRangeText(s *Schema) string {
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

func multipleText(s *Schema) string {
	if s.MultipleOf == "" {
		return ""
	}

	return ", a multiple of " + s.MultipleOf
}
