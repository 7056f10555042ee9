package validate_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/schema"
)

// exampleValue is the example at the end of the description of a field.
var exampleValue = regexp.MustCompile(` Example: (.+)\.$`)

// TestExamplesOfFields: what the description of a field gives as an example can be written there.
func TestExamplesOfFields(t *testing.T) {
	tried := 0
	for _, name := range []string{"agent", "step", "skill", "config", "workflow"} {
		text, _ := schema.Text(name)
		c := jsonschema.NewCompiler()
		if err := c.AddResource(name, bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		var root any
		if err := json.Unmarshal(text, &root); err != nil {
			t.Fatal(err)
		}
		eachExample(root, name+"#", func(at, example string) {
			tried++
			_, value := parse(t, txtar.File{Name: "workflow.yaml", Data: []byte("x: " + example + "\n")})
			if err := c.MustCompile(at).Validate(value.Value("x").JSON()); err != nil {
				t.Errorf("%s: the example %s: %v", at, example, err)
			}
		})
	}
	if tried < 200 {
		t.Errorf("only %d examples were found", tried)
	}
}

// eachExample calls visit for each example below a value of a schema, with the pointer to its field.
func eachExample(value any, at string, visit func(at, example string)) {
	switch v := value.(type) {
	case map[string]any:
		description, _ := v["description"].(string)
		if m := exampleValue.FindStringSubmatch(description); m != nil {
			visit(at, m[1])
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachExample(v[name], at+"/"+name, visit)
		}
	case []any:
		for i, item := range v {
			eachExample(item, at+"/"+strconv.Itoa(i), visit)
		}
	}
}
