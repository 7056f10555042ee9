package schema_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const workflowPage = "workflows/README.md"

// TestPageOfWorkflows: the tables of the page of workflows are what the schema says of their fields, and
// each field has a row and, unless it is of older files, a listing.
func TestPageOfWorkflows(t *testing.T) {
	content, err := os.ReadFile(workflowPage)
	if err != nil {
		t.Fatal(err)
	}
	mappings := workflowMappings(t)
	listed := map[string]bool{}
	want := fieldTable.ReplaceAllStringFunc(string(content), func(table string) string {
		words := strings.Fields(fieldTable.FindStringSubmatch(table)[1])
		var b strings.Builder
		b.WriteString("<!-- fields: " + strings.Join(words, " ") + " -->\n\n| field | type | default | meaning |\n|---|---|---|---|\n")
		fields := fieldsOf(mappings[words[0]])
		for _, name := range words[1:] {
			i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
			if i < 0 {
				t.Errorf("%s: %s has no field %s", workflowPage, words[0], name)
				continue
			}
			listed[words[0]+"."+name] = true
			b.WriteString(fields[i].row(requires(mappings[words[0]], name)))
		}

		return b.String() + "\n<!-- end of fields -->"
	})
	listings := strings.Join(yamlListing.FindAllString(want, -1), "")
	for place, def := range mappings {
		for _, f := range fieldsOf(def) {
			if !listed[place+"."+f.name] {
				t.Errorf("%s has no row for %s of %s", workflowPage, f.name, place)
			}
			isWritten := regexp.MustCompile(`(?m)(^|[{\s,-])` + f.name + `:`).MatchString(listings)
			if !isWritten && !strings.Contains(f.meaning, "older") {
				t.Errorf("%s has no listing with %s of %s", workflowPage, f.name, place)
			}
		}
	}
	switch {
	case want == string(content):
	case *update:
		if err := os.WriteFile(workflowPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what workflow.json says: go test ./schema -run TestPageOfWorkflows -update", workflowPage)
	}
}

// fieldTable is a table of the page. Its first line names the mapping and the fields.
var fieldTable = regexp.MustCompile(`(?s)<!-- fields: ([^>]*) -->.*?<!-- end of fields -->`)

// yamlListing is a listing of the page.
var yamlListing = regexp.MustCompile("(?s)```yaml\n.*?\n```")

// workflowMappings returns the mappings of a workflow file by their names in the schema. The settings of
// models have a page of their own.
func workflowMappings(t *testing.T) map[string]map[string]any {
	t.Helper()
	root := load(t, "workflow")
	all := map[string]map[string]any{"workflow": root}
	for name, def := range root["$defs"].(map[string]any) {
		def := def.(map[string]any)
		if def["properties"] != nil && name != "settings" {
			all[name] = def
		}
	}
	all["loop.state"] = all["loop"]["properties"].(map[string]any)["state"].(map[string]any)

	return all
}

// kindOf returns the kind of values of a field, in words.
func kindOf(f field, p map[string]any) string {
	ref, _ := p["$ref"].(string)
	expect, _ := p["x-agentc-expect"].(string)
	kind, isMapping := kindOfDef[strings.TrimPrefix(ref, "#/$defs/")]
	switch {
	case isMapping:
		return kind
	case len(f.words) > 0:
		return "word"
	case strings.HasPrefix(f.meaning, "An expression"):
		return "expression"
	case strings.HasPrefix(f.meaning, "A JSON Schema"):
		return "JSON Schema"
	case expect == "a mapping of variables":
		return "mapping"
	case strings.HasPrefix(expect, "a duration"):
		return "duration or time"
	case p["type"] == nil:
		return "any value"
	}
	var types []string
	switch is := p["type"].(type) {
	case string:
		types = []string{is}
	case []any:
		for _, one := range is {
			types = append(types, one.(string))
		}
	}
	switch {
	case slices.Contains(types, "integer"):
		return "whole number"
	case p["pattern"] != nil && slices.Contains(types, "number"):
		return "number"
	case slices.Contains(types, "string"): // a number or a boolean is a text, too
		types = slices.DeleteFunc(types, func(name string) bool { return name == "number" || name == "boolean" })
	}
	var kinds []string
	for _, name := range types {
		if name != "null" {
			kinds = append(kinds, kindOfType[name])
		}
	}

	return strings.Join(kinds, " or ")
}

var kindOfType = map[string]string{
	"string": "text", "number": "number", "boolean": "boolean", "array": "list", "object": "mapping",
}

var kindOfDef = map[string]string{
	"steps": "steps", "pipeline": "steps", "step": "step", "duration": "duration", "agentRef": "text or mapping",
	"prompt": "text or mapping", "config": "mapping", "limits": "mapping", "loop": "mapping", "map": "mapping",
	"finalize": "mapping", "settings": "mapping",
}

// row returns the row of a field in a table of the page.
func (f field) row(isRequired bool) string {
	initial := f.initial
	switch {
	case isRequired:
		initial = "required"
	case initial != "none" && !strings.Contains(initial, " "):
		initial = "`" + initial + "`"
	}
	text := codeIn.ReplaceAllString(f.meaning, "`$0`")
	for _, word := range f.words {
		text = wrapFirst(text, word)
	}
	if strings.HasPrefix(f.kind, "boolean") {
		text = wrapFirst(text, "true")
	}
	text = strings.ReplaceAll(text+" Example: `"+f.example+"`", "|", `\|`)

	return "| " + strings.Join([]string{"`" + f.name + "`", f.kind, initial, text}, " | ") + " |\n"
}

// codeIn matches what of a description is code.
var codeIn = regexp.MustCompile(`\{\{[^}]*\}\}|\{([^{}]|\{[^{}]*\})+\}|"\*"|\b\w+_\w+(: true)?|\b[a-z]+(\.\w+)+(:\w+)?|agent:NAME|\b[A-Z]\w+Error\b`)

// wrapFirst marks the first time that a word is used as code.
func wrapFirst(text, word string) string {
	at := regexp.MustCompile(`(^|[^\w` + "`" + `])` + regexp.QuoteMeta(word) + `\b`).FindStringIndex(text)
	if at == nil || strings.Contains(text, "`"+word+"`") {
		return text
	}

	return text[:at[1]-len(word)] + "`" + word + "`" + text[at[1]:]
}

// TestKindsOfFields: the words for kinds of values are those of their JSON types.
func TestKindsOfFields(t *testing.T) {
	tests := map[string]string{
		`{"type": ["string", "number", "boolean"]}`: "text", `{"type": ["object", "array"]}`: "mapping or list",
		`{"type": ["integer", "string"], "pattern": "x"}`: "whole number", `{}`: "any value",
		`{"type": ["boolean", "array"]}`: "boolean or list", `{"$ref": "#/$defs/duration"}`: "duration",
	}
	for text, want := range tests {
		var p map[string]any
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		if got := kindOf(field{}, p); got != want {
			t.Errorf("%s is %q, not %q", text, got, want)
		}
	}
}
