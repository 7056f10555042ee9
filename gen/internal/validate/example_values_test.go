package validate_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/schema"
)

// exampleValue is the example at the end of the description of a field.
var exampleValue = regexp.MustCompile(` Example: (.+)\.$`)

// TestExamplesOfFields: what the description of a field of workflows gives as an example can be written
// there.
func TestExamplesOfFields(t *testing.T) {
	text, _ := schema.Text("workflow")
	c := jsonschema.NewCompiler()
	if err := c.AddResource("workflow", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	tried := 0
	var visit func(at string, s map[string]any)
	visit = func(at string, s map[string]any) {
		if description, ok := s["description"].(string); ok {
			if m := exampleValue.FindStringSubmatch(description); m != nil {
				tried++
				_, value := parse(t, txtar.File{Name: "workflow.yaml", Data: []byte("x: " + m[1] + "\n")})
				if err := c.MustCompile(at).Validate(value.Value("x").JSON()); err != nil {
					t.Errorf("%s: the example %s: %v", at, m[1], err)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if inside, ok := s[name].(map[string]any); ok {
				visit(at+"/"+name, inside)
			}
		}
	}
	visit("workflow#", root)
	if tried < 90 {
		t.Errorf("only %d examples were found", tried)
	}
}
