package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
)

// TestEachNodeHasItsTitle: the script has a function for exactly those nodes of events for whose title the row has no words.
func TestEachNodeHasItsTitle(t *testing.T) {
	source, err := os.ReadFile("src/format.js")
	if err != nil {
		t.Fatal(err)
	}
	_, functions, _ := strings.Cut(string(source), "\nconst titles = {\n")
	functions, _, _ = strings.Cut(functions, "\n};\n")
	has := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^  (\w+): \(n\) =>`).FindAllStringSubmatch(functions, -1) {
		has[match[1]] = true
	}
	if !has["model"] {
		t.Fatalf("the functions were not found:\n%s", functions)
	}
	for _, k := range eventkind.All {
		if n := k.Node; n != nil && has[n.Kind] != (n.Title == eventkind.ByCode) {
			t.Errorf("%s: the row has the title %q, and that the script has a function is %v", k.Name, n.Title, has[n.Kind])
		}
	}
}
