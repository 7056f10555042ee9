package check_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// An agent gets the name of its folder only if nothing else has its own name: else the folder may be misspelled.
func TestNamesOfFoldersAreNoGuess(t *testing.T) {
	const head = "description: Does its part.\nversion: \"1\"\npattern: oneshot\n---\n\nDo it.\n"
	cases := []struct {
		name, written, elsewhere string
		fixes                    int
	}{
		{"only here", "critc", "The critics speak, and critc-two and critch.\n", 1},
		{"in another head", "critc", "---\nname: other # see critc\n---\n", 0},
		{"in quotes", `"critc"`, "Ask critc.", 0},
		{"at the very end", "critc", "critc", 0},
		{"no name at all", "Critc_X", "Ask Critc_X.", 0},
		{"no name, only here", "Critc_X", "Ask critc_x.", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			findings := compile(t, &txtar.Archive{Files: []txtar.File{
				{Name: "agents/critic/AGENT.md", Data: []byte("---\nname: " + c.written + "\n" + head + "\ncritc\n")},
				{Name: "agents/other/AGENT.md", Data: []byte("---\nname: other\n" + head + c.elsewhere)},
			}})
			if len(findings) != 1 || len(findings[0].Fixes) != c.fixes {
				t.Errorf("%d findings, want %d fixes\n%s", len(findings), c.fixes, casetest.Text(t, findings))
			}
		})
	}
}
