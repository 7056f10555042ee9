package schema_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/schema"
)

func TestNamesAreTheFiles(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			files = append(files, name)
		}
	}
	names := schema.Names()
	slices.Sort(names)
	if !slices.Equal(names, files) {
		t.Errorf("Names gives %q, the files are %q", names, files)
	}
	if _, ok := schema.Text("nothing"); ok {
		t.Error("there is a schema called nothing")
	}
}

// TestDraft compiles each schema, which checks it against the metaschema of draft 2020-12.
func TestDraft(t *testing.T) {
	for _, name := range schema.Names() {
		compile(t, name)
	}
}

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, _ := schema.Text(name)
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	if err := c.AddResource(name, bytes.NewReader(text)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}

	return compiled
}

func load(t *testing.T, name string) map[string]any {
	t.Helper()
	text, _ := schema.Text(name)
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatalf("%s: %v", name, err)
	}

	return root
}

// each calls visit for every subschema below value, with its path.
func each(value any, path string, visit func(path string, s map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		visit(path, v)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			each(v[key], path+"/"+key, visit)
		}
	case []any:
		for _, item := range v {
			each(item, path+"/…", visit)
		}
	}
}

// TestCompletion: an editor can show a title and a sentence for every field, and every field has one line of its own.
func TestCompletion(t *testing.T) {
	fields := 0
	for _, name := range schema.Names() {
		root := load(t, name)
		each(root, name, func(path string, s map[string]any) {
			properties, ok := s["properties"].(map[string]any)
			if !ok || strings.HasSuffix(path, "/properties") || strings.Contains(path, "/if") {
				return
			}
			for key, value := range properties {
				p, _ := value.(map[string]any)
				title, _ := p["title"].(string)
				description, _ := p["description"].(string)
				if _, rule := p["x-agentc-not"]; rule && title == "" {
					continue // a rule about a field that is described elsewhere
				}
				fields++
				if title == "" || len(description) < 10 || strings.ContainsAny(title+description, "\n") {
					t.Errorf("%s/%s: title %q, description %q", path, key, title, description)
				}
				if !strings.HasSuffix(description, ".") {
					t.Errorf("%s/%s: %q is no sentence", path, key, description)
				}
			}
		})
	}
	if fields < 80 {
		t.Errorf("%d fields are too few", fields)
	}
}

// TestClosed: every mapping whose fields are fixed refuses others, but those that begin with x-, which a file that is written anew by a
// command cannot keep, and which in a script may be misspelled agents.
func TestClosed(t *testing.T) {
	for _, name := range schema.Names() {
		each(load(t, name), name, func(path string, s map[string]any) {
			if s["type"] == nil || s["properties"] == nil || strings.HasSuffix(path, "/properties") {
				return
			}
			patterns, _ := s["patternProperties"].(map[string]any)
			_, named := s["additionalProperties"].(map[string]any)
			models := (path == "prices" || path == "script") && named // the fields of which are called like models, or like agents
			if s["additionalProperties"] != false && !models || (patterns["^x-"] == nil) != (name == "lock" || name == "script") {
				t.Errorf("%s takes any field", path)
			}
		})
	}
}

// TestPatternsAreKnown: what an annotation says about patterns is about patterns that exist, and each pattern is one
// that some rule or field distinguishes from an unknown one.
func TestPatternsAreKnown(t *testing.T) {
	for _, name := range []string{"agent", "step"} {
		root := load(t, name)
		known, _ := root["properties"].(map[string]any)["pattern"].(map[string]any)["enum"].([]any)
		each(root, name, func(path string, s map[string]any) {
			patterns, _ := s["x-agentc-patterns"].([]any)
			for _, p := range patterns {
				if !slices.Contains(known, p) {
					t.Errorf("%s is used by the unknown pattern %v", path, p)
				}
			}
		})
		if name == "agent" && len(known) != 13 {
			t.Errorf("there are %d patterns", len(known))
		}
	}
}

// TestKindsAreKnown: what an annotation says about kinds of steps is about kinds that exist, and each kind has a field of its own
// or is the one that counts where none is written. What is left out says what to use instead, and an editor refuses it.
func TestKindsAreKnown(t *testing.T) {
	root := load(t, "workflow")
	step := root["$defs"].(map[string]any)["step"].(map[string]any)["properties"].(map[string]any)
	kinds := step["kind"].(map[string]any)["enum"].([]any)
	used := map[any]bool{}
	each(root, "workflow", func(path string, s map[string]any) {
		users, _ := s["x-agentc-kinds"].([]any)
		for _, kind := range users {
			used[kind] = true
			if !slices.Contains(kinds, kind) {
				t.Errorf("%s is used by the unknown kind %v", path, kind)
			}
		}
		switch instead := s["x-agentc-unsupported"].(type) {
		case string:
			if _, refused := s["not"]; !refused || len(instead) < 10 {
				t.Errorf("%s is left out, and refused %t: %q", path, refused, instead)
			}
		case map[string]any:
			for value, text := range instead {
				if values, _ := s["enum"].([]any); slices.Contains(values, any(value)) || len(text.(string)) < 10 {
					t.Errorf("%s: %q is left out and accepted, or nothing says what to use: %q", path, value, text)
				}
			}
		}
	})
	if len(used) != len(kinds) || kinds[0] != "step" {
		t.Errorf("of the kinds %v, %v have fields", kinds, used)
	}
}

// TestEditorVerdict: what the compiler refuses, the schema alone refuses, so that an editor does.
func TestEditorVerdict(t *testing.T) {
	agent := map[string]any{"name": "x", "description": "d", "version": "1", "pattern": "fsm", "initial": "a",
		"states": map[string]any{"a": nil, "b": "a", "c": []any{map[string]any{"done": nil, "again": "b"}}}}
	tests := []struct {
		name   string
		change func(map[string]any)
		ok     bool
	}{
		{"as it is", func(map[string]any) {}, true},
		{"free field", func(m map[string]any) { m["x-team"] = 1 }, true},
		{"number as version", func(m map[string]any) { m["version"] = 1.0 }, true},
		{"unused field", func(m map[string]any) { m["max_iter"] = 3 }, true},
		{"unknown field", func(m map[string]any) { m["staets"] = 1 }, false},
		{"unknown field below", func(m map[string]any) { m["call"] = map[string]any{"mdel": 1} }, false},
		{"no states", func(m map[string]any) { delete(m, "states") }, false},
		{"no version", func(m map[string]any) { delete(m, "version") }, false},
		{"unknown pattern", func(m map[string]any) { m["pattern"] = "fms" }, false},
		{"capital letters", func(m map[string]any) { m["name"] = "X" }, false},
		{"state that is a mapping", func(m map[string]any) { m["states"] = map[string]any{"a": map[string]any{}} }, false},
		{"long row with a third field", func(m map[string]any) {
			m["states"] = map[string]any{"a": []any{map[string]any{"key": "k", "to": nil, "wehn": "g"}}}
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			document := maps.Clone(agent)
			tt.change(document)
			if err := compile(t, "agent").Validate(document); (err == nil) != tt.ok {
				t.Errorf("verdict %v", err)
			}
		})
	}
}
