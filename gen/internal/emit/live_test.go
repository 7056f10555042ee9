package emit_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// TestIncludedGuards: a part that drives live machines makes those with named guards of the guards
// that the program was given, and those of gates.
func TestIncludedGuards(t *testing.T) {
	for golden, want := range map[string][]string{
		"live": {"m := NewDeskMachine()", "m := NewLoopMachine(a.guards)", "m.SetClock(clock)", "m.SetRoutes(&a.routes)"},
		"gate": {"Machine()", "m.SetClock(clock)"},
	} {
		a, err := txtar.ParseFile("testdata/golden/" + golden + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		p := load(t, a.Files)
		p.Include = []ir.Text{{Value: "mcp"}}
		for _, file := range emitted(t, p) {
			for _, text := range want {
				if file.Name == "agentc_gen.go" && !strings.Contains(string(file.Content), text) {
					t.Errorf("%s: the program lacks %q:\n%s", golden, text, file.Content)
				}
			}
		}
	}
}
