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

// Error reports a position in a schema for which no value was found.
type Error struct {
	// Path is the position in the value, such as filters[0].lang; "" is the value itself.
	Path    string
	Problem string
}

func (e *Error) Error() string {
	if e.Path == "" {
		return "no value was found that fits the schema: " + e.Problem
	}

	return fmt.Sprintf("no value was found that fits the schema: at %s, %s", e.Path, e.Problem)
}

// MakeValue returns the JSON of a value that fits s. Texts in it resemble text if the schema allows
// that. The error is an *[Error].
func MakeValue(s *ir.Schema, text string) (string, error) {
	return (&maker{text: text}).makeValue("", s, 0)
}

// MakeTexts returns texts, not as JSON, that s allows: the texts of its enum, or else each of the given
// texts that fits, lengthened if necessary.
func MakeTexts(s *ir.Schema, texts ...string) []string {
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
	r := textRule(s)
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

// These are limits on the size of values and on the search for them.
const (
	// most limits the length of a text and of a list.
	most = 10_000
	// mostInAll limits the values and characters in one value.
	mostInAll = 100_000
	// mostAlike limits how many values in a row can repeat earlier ones. Each earlier one adds to
	// it.
	mostAlike = 200
)

// maker makes values from a text.
type maker struct {
	text string
	// made counts the values, and the characters that texts must have.
	made int
}

// makeValue returns a value that fits s. For seed 0 it is the plainest one. For other seeds it
// differs from that and usually from the others, as far as the schema allows.
func (m *maker) makeValue(path string, s *ir.Schema, seed int) (string, error) {
	s = cmp.Or(s, &ir.Schema{Kind: ir.SchemaAny})
	m.made++
	if m.made > mostInAll {
		return "", &Error{Problem: "it is too large to be made up"}
	}
	if s.Enum != nil {
		return pickValue(s, s.Enum, seed), nil
	}
	switch s.Kind {
	case ir.SchemaRef:
		if s.Nullable && seed == 0 { // this ends a schema that contains itself
			return "null", nil
		}
		return m.makeValue(path, s.Target, seed/2)
	case ir.SchemaUnion:
		n := len(s.Variants)
		return m.makeValue(path, s.Variants[seed%n].Schema, seed/n)
	case ir.SchemaObject:
		return m.makeObject(path, s, seed)
	case ir.SchemaArray:
		return m.makeArray(path, s, seed)
	case ir.SchemaString:
		return m.makeText(path, s, seed)
	case ir.SchemaInteger, ir.SchemaNumber:
		return makeNumber(path, s, seed)
	case ir.SchemaBoolean:
		return pickValue(s, []string{"true", "false"}, seed), nil
	}

	return words.Quote(appendNumber(m.text, seed)), nil
}

// pickValue returns one of a few values. If s is nullable, null is the last of them.
func pickValue(s *ir.Schema, values []string, seed int) string {
	if s.Nullable {
		values = append(slices.Clip(values), "null")
	}

	return values[seed%len(values)]
}

// makeObject returns an object with the required properties, and with the optional ones unless seed
// is 0.
func (m *maker) makeObject(path string, s *ir.Schema, seed int) (string, error) {
	var members []string
	add := func(name string, value *ir.Schema, seed int) error {
		text, err := m.makeValue(memberPath(path, name), value, seed)
		if err == nil {
			members = append(members, words.Quote(name)+":"+text)
		}

		return err
	}
	for _, p := range s.Properties {
		if p.Required {
			err := add(p.Name.Value, p.Schema, seed)
			if err != nil {
				return "", err
			}
		} else if seed > 0 {
			_ = add(p.Name.Value, p.Schema, seed-1) // an optional property can be left out
		}
	}
	fresh := fmt.Sprintf("x%d", seed)
	least := 0
	if s.MinProperties != nil {
		least = *s.MinProperties
	}
	if least > most {
		return "", &Error{Path: path, Problem: fmt.Sprintf("an object of %d members is too large to be made up", least)}
	}
	for i := range least {
		err := add(fmt.Sprintf("%s_%d", fresh, i), s.Additional, 0)
		if err != nil {
			return "", err
		}
	}
	isFree := s.Additional != nil && isCountWithin(least+1, nil, s.MaxProperties)
	if isFree && seed > 0 && least == 0 && s.Property(fresh) == nil {
		_ = add(fresh, s.Additional, 0)
	}

	return "{" + strings.Join(members, ",") + "}", nil
}

// makeArray returns a list with as few items as s allows, or with one if seed is not 0. Lists for
// different seeds differ in their last item.
func (m *maker) makeArray(path string, s *ir.Schema, seed int) (string, error) {
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
		item, err := m.makeValue(at, s.Items, which)
		if err != nil {
			return "", err
		}
		id := CanonicalText(decodeJSON(item))
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

// memberPath returns the path of a member.
func memberPath(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
