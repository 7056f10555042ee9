package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// TestGraphFormats: the pictures that the pages of examples show are what graph --format svg writes,
// and html is a page with the same.
func TestGraphFormats(t *testing.T) {
	for example, picture := range map[string]string{"support": "machine.svg", "loan": "loan.svg", "digest": "digest.svg"} {
		checkPicture(t, "./examples/"+example, picture)
	}
	page := agentc("../..", "", "graph", "./examples/support", "--format", "html")
	page.want(t, cli.Done, "<title>support</title>")
	if !strings.Contains(page.stdout, `"pictures":[["\u003csvg `) {
		t.Error("the page has no picture")
	}
	dir := unpack(t, t.TempDir(), strings.Replace(critic, "- bad: refine", "- bad: refin", 1))
	agentc(dir, "", "graph", "--format", "svg").want(t, cli.Problem, `class="edge faulty"`, "refin")
}

// checkPicture compares a picture in the folder of an example with what graph --format svg writes.
func checkPicture(t *testing.T, example, picture string) {
	t.Helper()
	path := filepath.Join("../..", example, picture)
	got := agentc("../..", "", "graph", example, "--format", "svg")
	got.want(t, cli.Done, "<svg ")
	if *casetest.Update {
		if err := os.WriteFile(path, []byte(got.stdout), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got.stdout != string(want) {
		t.Errorf("%s is not what graph --format svg draws (%v): go test ./gen/command -run GraphFormats -update writes it", path, err)
	}
}
