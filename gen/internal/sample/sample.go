package sample

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Error is a place in a schema for which no value was found.
type Error struct {
	// Path is the place in the value, such as filters[0].lang; "" is the value itself.
	Path    string
	Problem string
}

func (e *Error) Error() string {
	if e.Path == "" {
		return "no value was found that fits the schema: " + e.Problem
	}

	return fmt.Sprintf("no value was found that fits the schema: at %s, %s", e.Path, e.Problem)
}

// Value returns the JSON of a value that fits s. Texts in it are like text where the schema lets them. The error is an
// *[Error].
func Value(s *ir.Schema, text string) (string, error) {
	m := &maker{text: text, variants: map[*ir.Schema]*variants{}}
	v, err := m.value("", s, 0)
	if err != nil {
		return "", err
	}

	return v, nil
}

// Texts returns the texts, not as JSON, that s allows: those of its enum, else the ones of texts that fit, perhaps
// lengthened.
func Texts(s *ir.Schema, texts ...string) []string {
	if s.Kind != ir.SchemaString {
		return nil
	}

	var fitting []string
	for _, value := range s.Enum {
		var text string
		if json.Unmarshal([]byte(value), &text) == nil {
			fitting = append(fitting, text)
		}
	}
	r := ruleOf(s)
	if s.Enum != nil || r.least > most {
		return fitting
	}
	for _, text := range texts {
		if fitted, ok := r.lengthen(text); ok {
			fitting = append(fitting, fitted)
		}
	}

	return fitting
}

// most bounds the length of a text, and the items of a list, that are worth being made, and mostInAll the values and
// characters that one value is made of.
const (
	most      = 10_000
	mostInAll = 100_000
)

// maker makes values out of a text.
type maker struct {
	text string
	// made counts the values, and the characters that texts have to have.
	made int
	// variants are the different values that have been found for a schema so far, where they take time to find.
	variants map[*ir.Schema]*variants
}

// value returns the i-th value that fits s, in an order of its own: values with different i differ.
func (m *maker) value(path string, s *ir.Schema, i int) (string, *Error) {
	if s == nil {
		s = &ir.Schema{Kind: ir.SchemaAny}
	}
	if m.made++; m.made > mostInAll {
		return "", &Error{Problem: "it is too large to be made up"}
	}
	if s.Enum != nil {
		return nth(path, s, s.Enum, i)
	}
	switch s.Kind {
	case ir.SchemaRef:
		if s.Nullable {
			return m.orNull(path, s.Target, i)
		}
		return m.value(path, s.Target, i)
	case ir.SchemaUnion:
		n := len(s.Variants)
		return m.value(path, s.Variants[i%n].Schema, i/n)
	case ir.SchemaObject:
		return m.object(path, s, i)
	case ir.SchemaArray:
		return m.array(path, s, i)
	case ir.SchemaString:
		return m.string(path, s, i)
	case ir.SchemaInteger, ir.SchemaNumber:
		return m.number(path, s, i)
	case ir.SchemaBoolean:
		return nth(path, s, []string{"true", "false"}, i)
	}

	return Quote(numbered(m.text, i)), nil
}

// orNull returns null first: what contains itself has to end.
func (m *maker) orNull(path string, s *ir.Schema, i int) (string, *Error) {
	if i == 0 {
		return "null", nil
	}

	return m.value(path, s, i-1)
}

// nth returns one of few values, and null behind them where that is one too.
func nth(path string, s *ir.Schema, values []string, i int) (string, *Error) {
	switch {
	case i < len(values):
		return values[i], nil
	case i == len(values) && s.Nullable:
		return "null", nil
	}

	return "", &Error{Path: path, Problem: fmt.Sprintf("no %d different values were found", i+1)}
}

// object varies one property: a required one in its value, or one that is there only in later values.
func (m *maker) object(path string, s *ir.Schema, i int) (string, *Error) {
	var members []string
	varied := i == 0
	add := func(name string, value *ir.Schema, first int) *Error {
		text, err := m.value(member(path, name), value, first)
		if err == nil {
			members = append(members, Quote(name)+":"+text)
		}

		return err
	}
	for _, p := range s.Properties {
		switch name := p.Name.Value; {
		case p.Required && !varied && add(name, p.Schema, i) == nil:
			varied = true
		case p.Required:
			if err := add(name, p.Schema, 0); err != nil {
				return "", err
			}
		case !varied && add(name, p.Schema, i-1) == nil:
			varied = true
		}
	}
	if !varied && s.Additional != nil && add(freshName(s, i), s.Additional, 0) == nil {
		varied = true
	}
	if !varied {
		return "", &Error{Path: path, Problem: fmt.Sprintf("no %d different values were found", i+1)}
	}

	return "{" + strings.Join(members, ",") + "}", nil
}

// freshName returns a name that no property has.
func freshName(s *ir.Schema, i int) string {
	name := fmt.Sprintf("x%d", i)
	for _, p := range s.Properties {
		if p.Name.Value == name {
			return freshName(s, i+len(s.Properties)+1)
		}
	}

	return name
}

func (m *maker) array(path string, s *ir.Schema, i int) (string, *Error) {
	n := 0
	if s.MinItems != nil {
		n = *s.MinItems
	}
	if i > 0 && n == 0 { // lists of one item differ by it
		n, i = 1, i-1
	}
	switch {
	case s.MaxItems != nil && n > *s.MaxItems:
		return "", &Error{Path: path, Problem: fmt.Sprintf("no %d different values were found", i+2)}
	case n > most:
		return "", &Error{Path: path, Problem: fmt.Sprintf("a list of %d items is too long to be made up", n)}
	}

	items := make([]string, n)
	for at := range items {
		which := 0
		if s.UniqueItems {
			which = at
		}
		if at == n-1 {
			which += i
		}
		item, err := m.value(fmt.Sprintf("%s[%d]", path, at), s.Items, which)
		if err != nil {
			return "", err
		}
		items[at] = item
	}

	return "[" + strings.Join(items, ",") + "]", nil
}

// member is the path of a member.
func member(path, name string) string {
	if path == "" {
		return name
	}

	return path + "." + name
}

// Quote writes text as a JSON string in which <, > and & stay readable.
func Quote(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string can always be encoded
	}

	return strings.TrimSuffix(b.String(), "\n")
}
