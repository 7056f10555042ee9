package verify_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/names"
	"github.com/agentc-dev/agentc/gen/verify"
)

// TestDamageOfBudgets changes what agents and the run may spend; each change is found, as is a budget that nobody has written.
func TestDamageOfBudgets(t *testing.T) {
	p := load(t, filepath.Join("..", "emit", "testdata", "golden", "budgets.txtar"))
	files, err := emit.Files(p, emit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const limit = "\tdefer runtime.Limit(fx, "
	changes := map[string][][2]string{
		"desk_gen.go": {
			{limit + `"desk", &deskBudget)()`, ""},
			{limit + `"desk", &deskBudget)()`, limit + `"desk", &draftBudget)()`},
			{limit + `"desk"`, limit + `"draft"`},
			{"deskBudget)()", "deskBudget)"},
			{"Calls: 20", "Calls: 21"},
			{"Calls: 20", "Tokens: 20"},
			{"\t\tBudget:      &deskBudget,\n", ""},
		},
		"draft_gen.go": {
			{limit + `"draft", &draftBudget)()`, ""}, {"USD: 0.25", "USD: 0.52"}, {"90 * time.Second", "90 * time.Minute"},
		},
		"polish_gen.go": {{limit + `"polish", &polishBudget)()`, ""}, {"Tokens: 5000", "Tokens: 500"}},
		"nightly_gen.go": {
			{"USD:     0.5,", "USD:     5.0,"}, {"\t\tUSD:  3.0,\n", ""}, {"Tokens:  900,", ""},
			{`Priced: []string{"nightly/writer", "desk"}`, `Priced: []string{"desk"}`},
			{`value, err := r.Try(workflow.Policy{`, `value, err := r.Try(workflow.Policy{Timeout: 1, `},
		},
		names.SharedFile: {{"Calls: 40, ", ""}, {"USD: 2.0", "USD: 2.5"}, {"90 * time.Minute", "91 * time.Minute"}},
	}
	for i := range files {
		for _, change := range changes[files[i].Name] {
			changed := append([]emit.File(nil), files...)
			changed[i].Content = []byte(strings.Replace(string(files[i].Content), change[0], change[1], 1))
			if string(changed[i].Content) == string(files[i].Content) {
				t.Errorf("%s has no %s", files[i].Name, change[0])
			}
			if err := verify.Files(p, changed); err == nil {
				t.Errorf("%s: %q instead of %q is not found", files[i].Name, change[1], change[0])
			}
		}
		delete(changes, files[i].Name)
	}
	if len(changes) > 0 {
		t.Errorf("there are no files for %v", changes)
	}
	if err := verify.Files(p, files); err != nil {
		t.Errorf("what is right is refused: %v", err)
	}
}
