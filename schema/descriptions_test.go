package schema_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDescriptions: what an editor shows of a field is enough to write it. The description says what the
// field is, ends with an example, and names each word that is allowed; a field that is not required has a
// default.
func TestDescriptions(t *testing.T) {
	described := 0
	for _, name := range []string{"agent", "step", "skill", "config", "workflow"} {
		each(load(t, name), name, func(path string, def map[string]any) {
			_, isMapping := def["properties"].(map[string]any)
			if !isMapping || strings.HasSuffix(path, "/properties") || strings.Contains(path, "/if") {
				return
			}
			for _, f := range fieldsOf(def) {
				described++
				checkDescription(t, path, f, requires(def, f.name))
			}
		})
	}
	if described < 200 {
		t.Errorf("only %d fields were found", described)
	}
}

func checkDescription(t *testing.T, path string, f field, isRequired bool) {
	t.Helper()
	if f.example == "" {
		t.Errorf("%s: %s: %q has no example", path, f.name, f.description)
	}
	if isRequired == (f.initial != "") {
		t.Errorf("%s: %s: required %t, and the default is %q", path, f.name, isRequired, f.initial)
	}
	for _, word := range f.words {
		if !strings.Contains(f.description, word) && !strings.Contains(f.description, strings.ToUpper(word)) {
			t.Errorf("%s: %s: %q does not name %s", path, f.name, f.description, word)
		}
	}
}

// requires reports whether a mapping of the schema requires a field, perhaps for one of its kinds.
func requires(def map[string]any, name string) bool {
	isListed := false
	each(def, "", func(path string, s map[string]any) {
		names, _ := s["required"].([]any)
		inside := strings.Contains(path, "/properties") || strings.Contains(path, "/$defs") || strings.HasSuffix(path, "/if") || strings.HasSuffix(path, "/not")
		isListed = isListed || !inside && slices.Contains(names, any(name))
	})

	return isListed
}

// field is a field of a mapping, as its description says it: the meaning, and then the default and an
// example.
type field struct {
	name, description               string
	meaning, initial, example, kind string
	words                           []string
}

var (
	defaultOf = regexp.MustCompile(` Default: (.+?)\. Example: `)
	exampleOf = regexp.MustCompile(` Example: (.+)\.$`)
)

// fieldsOf returns the fields of a mapping that a workflow can use.
func fieldsOf(def map[string]any) (fields []field) {
	for name, value := range def["properties"].(map[string]any) {
		p := value.(map[string]any)
		_, isLeftOut := p["not"]
		_, isUnused := p["x-agentc-unused"]
		if isLeftOut || isUnused {
			continue
		}
		f := field{name: name, description: p["description"].(string)}
		f.meaning = f.description
		if m := exampleOf.FindStringSubmatch(f.description); m != nil {
			f.example = m[1]
			f.meaning = strings.TrimSuffix(f.meaning, m[0])
		}
		if m := defaultOf.FindStringSubmatch(f.description); m != nil {
			f.initial = m[1]
			f.meaning = strings.TrimSuffix(f.meaning, " Default: "+m[1]+".")
		}
		words, _ := p["enum"].([]any)
		for _, word := range words {
			f.words = append(f.words, word.(string))
		}
		f.kind = kindOf(f, p)
		fields = append(fields, f)
	}

	return fields
}
