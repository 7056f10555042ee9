package sample

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
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
	return (&maker{text: text}).value("", s, 0)
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
// characters that one value is made of. mostAlike is how many values in a row may be known already, beside some for each known one.
const (
	most      = 10_000
	mostInAll = 100_000
	mostAlike = 200
)

// maker makes values out of a text.
type maker struct {
	text string
	// made counts the values, and the characters that texts have to have.
	made int
}

// value returns a value that fits s: the plainest for seed 0. Those of other seeds differ from it, and mostly from each other, as far as
// there are any.
func (m *maker) value(path string, s *ir.Schema, seed int) (string, error) {
	s = cmp.Or(s, &ir.Schema{Kind: ir.SchemaAny})
	if m.made++; m.made > mostInAll {
		return "", &Error{Problem: "it is too large to be made up"}
	}
	if s.Enum != nil {
		return oneOf(s, s.Enum, seed), nil
	}
	switch s.Kind {
	case ir.SchemaRef:
		if s.Nullable && seed == 0 { // what contains itself has to end
			return "null", nil
		}
		return m.value(path, s.Target, seed/2)
	case ir.SchemaUnion:
		n := len(s.Variants)
		return m.value(path, s.Variants[seed%n].Schema, seed/n)
	case ir.SchemaObject:
		return m.object(path, s, seed)
	case ir.SchemaArray:
		return m.array(path, s, seed)
	case ir.SchemaString:
		return m.string(path, s, seed)
	case ir.SchemaInteger, ir.SchemaNumber:
		return number(path, s, seed)
	case ir.SchemaBoolean:
		return oneOf(s, []string{"true", "false"}, seed), nil
	}

	return words.Quote(numbered(m.text, seed)), nil
}

// oneOf returns one of few values, null behind them where that is one too.
func oneOf(s *ir.Schema, values []string, seed int) string {
	if s.Nullable {
		values = append(slices.Clip(values), "null")
	}

	return values[seed%len(values)]
}

// object has the properties that are required, and those that are not if its seed is not 0.
func (m *maker) object(path string, s *ir.Schema, seed int) (string, error) {
	var members []string
	add := func(name string, value *ir.Schema, seed int) error {
		text, err := m.value(member(path, name), value, seed)
		if err == nil {
			members = append(members, words.Quote(name)+":"+text)
		}

		return err
	}
	for _, p := range s.Properties {
		if p.Required {
			if err := add(p.Name.Value, p.Schema, seed); err != nil {
				return "", err
			}
		} else if seed > 0 {
			_ = add(p.Name.Value, p.Schema, seed-1) // it may be left out
		}
	}
	if fresh := fmt.Sprintf("x%d", seed); s.Additional != nil && seed > 0 && s.Property(fresh) == nil {
		_ = add(fresh, s.Additional, 0)
	}

	return "{" + strings.Join(members, ",") + "}", nil
}

// array has as few items as there may be, or one if its seed is not 0. Lists differ by their last item.
func (m *maker) array(path string, s *ir.Schema, seed int) (string, error) {
	n := 0
	if s.MinItems != nil {
		n = *s.MinItems
	}
	if seed > 0 && n == 0 && (s.MaxItems == nil || *s.MaxItems > 0) {
		n = 1
	}
	if n > most {
		return "", &Error{Path: path, Problem: fmt.Sprintf("a list of %d items is too long to be made up", n)}
	}
	items, seen, last := make([]string, 0, n), map[string]bool{}, 0
	for which := 0; len(items) < n; which++ {
		at := fmt.Sprintf("%s[%d]", path, len(items))
		if len(items) == n-1 {
			which = max(which, seed/2)
		}
		item, err := m.value(at, s.Items, which)
		if err != nil {
			return "", err
		}
		id := Identity(decoded(item))
		switch {
		case !s.UniqueItems:
			items, which = append(items, item), -1
		case !seen[id]:
			items, last = append(items, item), which
			seen[id] = true
		case which-last > mostAlike+4*len(items):
			return "", &Error{Path: at, Problem: fmt.Sprintf("no %d different values were found", len(items)+1)}
		}
	}

	return "[" + strings.Join(items, ",") + "]", nil
}

// member is the path of a member.
func member(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
