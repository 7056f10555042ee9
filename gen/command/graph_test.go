package command

import (
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// TestGraphFormats: the picture that the page of examples shows is what graph --format svg writes,
// and html is a page with the same.
func TestGraphFormats(t *testing.T) {
	const shown = "../../examples/support/machine.svg"
	got := agentc("../..", "", "graph", "./examples/support", "--format", "svg")
	got.want(t, cli.Done, "<svg ")
	if *casetest.Update {
		if err := os.WriteFile(shown, []byte(got.stdout), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(shown)
	if err != nil || got.stdout != string(want) {
		t.Errorf("%s is not what graph --format svg draws (%v): go test ./gen/command -run GraphFormats -update writes it", shown, err)
	}
	page := agentc("../..", "", "graph", "./examples/support", "--format", "html")
	page.want(t, cli.Done, "<title>support</title>")
	if !strings.Contains(page.stdout, `"pictures":[["\u003csvg `) {
		t.Error("the page has no picture")
	}
	dir := unpack(t, t.TempDir(), strings.Replace(critic, "- bad: refine", "- bad: refin", 1))
	agentc(dir, "", "graph", "--format", "svg").want(t, cli.Problem, `class="edge faulty"`, "refin")
}
